import { Injectable } from '@nestjs/common';
import type { JsonObject } from '@cleveragents/kernel';
import type { ChangeGate, GateContext, ToolContext, ToolDefinition, ToolResult } from './tool.js';

@Injectable()
export class ToolRuntime {
  /** Every tool that this runtime can call. */
  list(): readonly ToolDefinition[] {
    return [];
  }

  /** Undefined when there is no such tool. */
  find(_name: string): ToolDefinition | undefined {
    return undefined;
  }

  /** Thresholds that this very call touches, sorted; empty = nothing to ask for. */
  async gatesOf(_name: string, _inputs: JsonObject, _context: GateContext): Promise<readonly ChangeGate[]> {
    throw new Error('not there yet');
  }

  async call(_name: string, _inputs: JsonObject, _context: ToolContext): Promise<ToolResult> {
    throw new Error('not there yet');
  }
}
