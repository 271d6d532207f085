import type { JsonObject } from '@cleveragents/kernel';
import type { SchemaCompiler } from './schema-compiler.js';
import { ToolFailure } from './tool-failure.js';
import type { ToolCall, ToolOutcome, ToolSpec } from './tool-spec.js';
import type { ChangeGate, GateContext, ToolDefinition } from './tool.js';

/** A tool behind its schemas: takes any JSON, runs on what is valid. */
export interface BoundTool {
  readonly definition: ToolDefinition;
  gates(inputs: JsonObject, context: GateContext): Promise<readonly ChangeGate[]>;
  run(inputs: JsonObject, call: ToolCall): Promise<ToolOutcome>;
}

export function bindTool<Inputs>(spec: ToolSpec<Inputs>, schemas: SchemaCompiler): BoundTool {
  const { definition } = spec;
  const acceptInputs = schemas.inputReader(spec);
  const outputProblem = definition.outputSchema === undefined ? null : schemas.problemFinder(definition.outputSchema);
  return {
    definition,
    gates: async (inputs, context) => spec.gates(acceptInputs(inputs), context),
    run: async (inputs, call) => {
      const outcome = await spec.run(acceptInputs(inputs), call);
      const problem = outputProblem?.(outcome.output) ?? null;
      if (problem === null) return outcome;
      throw new ToolFailure(
        definition.name,
        `The output breaks the tool's own schema: ${problem}`,
        {},
        {
          reason: 'TOOL_OUTPUT_INVALID',
        },
      );
    },
  };
}
