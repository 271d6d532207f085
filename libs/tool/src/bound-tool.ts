import type { JsonObject } from '@cleveragents/kernel';
import type { SchemaCompiler } from './schema-compiler.js';
import { ToolFailure } from './tool-failure.js';
import type { ChangeGate, GateContext, ToolContext, ToolDefinition, ToolLimits } from './tool.js';

/** What a tool's own code gets to know of a call. */
export interface ToolCall {
  readonly root: string;
  /** Fires when the caller aborts or the time is up. */
  readonly signal: AbortSignal;
  readonly limits: ToolLimits;
  readonly commandAllow: ToolContext['commandAllow'];
}

export interface ToolOutcome {
  readonly output: JsonObject;
  readonly changedPaths?: readonly string[];
  readonly summary: string;
}

/** A tool as its author writes it. `Inputs` is what the input schema lets through. */
export interface ToolSpec<Inputs> {
  readonly definition: ToolDefinition;
  gates(inputs: Inputs, context: GateContext): Promise<readonly ChangeGate[]>;
  run(inputs: Inputs, call: ToolCall): Promise<ToolOutcome>;
}

/** A tool behind its schemas: takes any JSON, runs on what is valid. */
export interface BoundTool {
  readonly definition: ToolDefinition;
  gates(inputs: JsonObject, context: GateContext): Promise<readonly ChangeGate[]>;
  run(inputs: JsonObject, call: ToolCall): Promise<ToolOutcome>;
}

export function bindTool<Inputs>(spec: ToolSpec<Inputs>, schemas: SchemaCompiler): BoundTool {
  const { definition } = spec;
  const acceptInputs = schemas.compile<Inputs>(definition.inputSchema, 'inputs');
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
