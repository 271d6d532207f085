export { CommandCheck, type CommandCheckRequest, type CommandCheckResult } from './command-check.js';
export { type IsolationReport } from './command-isolation.js';
export { CommandRunner, type CommandOutcome, type CommandRequest } from './command-runner.js';
export { ToolFailure } from './tool-failure.js';
export { ToolModule } from './tool.module.js';
export { ToolRuntime } from './tool-runtime.js';
export {
  DEFAULT_TOOL_LIMITS,
  type ChangeGate,
  type GateContext,
  type ToolCapabilities,
  type ToolContext,
  type ToolDefinition,
  type ToolLimits,
  type ToolResult,
} from './tool.js';
