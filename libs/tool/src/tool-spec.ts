import type { JsonObject } from '@cleveragents/kernel';
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
