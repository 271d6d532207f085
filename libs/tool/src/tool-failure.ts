import { PlanError, type ErrorDetails } from '@cleveragents/kernel';

/** A call that was allowed and well formed did not succeed. The message is made for the caller: no server path in it. */
export class ToolFailure extends PlanError {
  static override readonly defaultReason: string = 'TOOL_FAILED';

  constructor(
    readonly tool: string,
    message: string,
    details: ErrorDetails = {},
    options: ErrorOptions & { reason?: string } = {},
  ) {
    super(message, { tool, ...details }, options);
  }
}
