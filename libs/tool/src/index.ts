export { CommandCheck, type CommandCheckRequest, type CommandCheckResult } from './command-check.js';
export { type IsolationReport } from './command-isolation.js';
export type { CommandOutcome, CommandRequest } from './command-runner.js';
export { ToolModule } from './tool.module.js';
export { ToolRuntime } from './tool-runtime.js';
export type {
  ChangeGate,
  GateContext,
  ToolCapabilities,
  ToolContext,
  ToolDefinition,
  ToolLimits,
  ToolResult,
} from './tool.js';
