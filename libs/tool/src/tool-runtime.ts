import { performance } from 'node:perf_hooks';
import { Injectable } from '@nestjs/common';
import { CleverAgentsError, ResourceNotFoundError, type JsonObject } from '@cleveragents/kernel';
import type { BoundTool } from './bound-tool.js';
import { bindBuiltinTools } from './builtin/builtin-tools.js';
import { CommandRunner } from './command-runner.js';
import { ToolFailure } from './tool-failure.js';
import type { ToolOutcome } from './tool-spec.js';
import {
  DEFAULT_TOOL_LIMITS,
  type ChangeGate,
  type GateContext,
  type ToolContext,
  type ToolDefinition,
  type ToolResult,
} from './tool.js';

/** Calls tools in a sandbox: inputs and outputs checked, time bounded, failures made fit for the caller. */
@Injectable()
export class ToolRuntime {
  private readonly tools: ReadonlyMap<string, BoundTool>;

  constructor(commands: CommandRunner) {
    this.tools = new Map(bindBuiltinTools(commands).map((tool) => [tool.definition.name, tool]));
  }

  /** Every tool that this runtime can call. */
  list(): readonly ToolDefinition[] {
    return [...this.tools.values()].map(({ definition }) => definition);
  }

  /** Undefined when there is no such tool. */
  find(name: string): ToolDefinition | undefined {
    return this.tools.get(name)?.definition;
  }

  /** Thresholds that this very call touches, sorted; empty = nothing to ask for. Refuses inputs as `call` does. */
  async gatesOf(name: string, inputs: JsonObject, context: GateContext): Promise<readonly ChangeGate[]> {
    const tool = this.require(name);
    const gates = new Set(await tool.gates(inputs, context));
    if (tool.definition.capabilities.network) gates.add('access_network');
    if (tool.definition.capabilities.installs) gates.add('install_dependency');
    return [...gates].sort();
  }

  async call(name: string, inputs: JsonObject, context: ToolContext): Promise<ToolResult> {
    const tool = this.require(name);
    if (context.isReadOnly === true && tool.definition.capabilities.writes) {
      throw new ToolFailure(name, 'The tool writes, and this work is read-only', {}, { reason: 'READ_ONLY' });
    }
    const startedAt = performance.now();
    const outcome = await this.run(tool, inputs, context);
    return {
      output: outcome.output,
      changedPaths: [...new Set(outcome.changedPaths)].sort(),
      summary: outcome.summary,
      durationMs: Math.round(performance.now() - startedAt),
    };
  }

  private async run(tool: BoundTool, inputs: JsonObject, context: ToolContext): Promise<ToolOutcome> {
    const limits = { ...DEFAULT_TOOL_LIMITS, ...context.limits };
    const time = AbortSignal.timeout(limits.timeoutMs);
    const { root, commandAllow } = context;
    try {
      context.signal.throwIfAborted();
      const signal = AbortSignal.any([context.signal, time]);
      return await tool.run(inputs, { root, signal, limits, commandAllow });
    } catch (error) {
      const { name } = tool.definition;
      if (context.signal.aborted) throw new ToolFailure(name, 'The call was cancelled', {}, { reason: 'ABORTED' });
      if (time.aborted) {
        const message = `The call took longer than ${limits.timeoutMs / 1000} s`;
        throw new ToolFailure(name, message, {}, { reason: 'TIMED_OUT', cause: error });
      }
      throw translate(name, error);
    }
  }

  private require(name: string): BoundTool {
    const tool = this.tools.get(name);
    if (tool === undefined) throw ResourceNotFoundError.of('Tool', { name });
    return tool;
  }
}

/** The system's own errors carry server paths: only their code goes on. */
function translate(tool: string, error: unknown): unknown {
  if (error instanceof CleverAgentsError || !(error instanceof Error) || !('syscall' in error)) return error;
  const code = 'code' in error ? String(error.code) : 'unknown';
  return new ToolFailure(tool, `The file system refused the call (${code})`, { code }, { cause: error });
}
