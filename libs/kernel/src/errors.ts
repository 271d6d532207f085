import type { JsonValue } from './json.js';

export type ErrorDetails = Readonly<Record<string, JsonValue>>;

/**
 * Root of every error a caller may see. `reason` is the stable machine name (UPPER_SNAKE); `details` goes to the wire
 * as it is, in snake_case: no secret, no SQL, no path of the server. Numbers live in the JSON-RPC error table only.
 */
export abstract class CleverAgentsError extends Error {
  readonly reason: string;

  constructor(
    message: string,
    readonly details: ErrorDetails = {},
    options: ErrorOptions & { reason?: string } = {},
  ) {
    super(message, options);
    this.name = new.target.name;
    this.reason = options.reason ?? (new.target as unknown as { defaultReason: string }).defaultReason;
  }
}

/** A named thing is absent, or the caller may not see it: the two must not be told apart. */
export class ResourceNotFoundError extends CleverAgentsError {
  static readonly defaultReason: string = 'RESOURCE_NOT_FOUND';

  /** `of('Plan', { plan_id })` reads "Plan not found" with reason PLAN_NOT_FOUND. */
  static of(kind: string, details: ErrorDetails): ResourceNotFoundError {
    const snake = kind.replace(/([a-z])([A-Z])/g, '$1_$2').replace(/[ -]/g, '_');
    return new ResourceNotFoundError(
      `${kind} not found`,
      { kind: snake.toLowerCase(), ...details },
      { reason: `${snake.toUpperCase()}_NOT_FOUND` },
    );
  }
}

/** No credentials, or credentials that do not verify. */
export class AuthenticationError extends CleverAgentsError {
  static readonly defaultReason: string = 'AUTHENTICATION_REQUIRED';
}

/** The caller sees the namespace but lacks the role. */
export class AuthorizationError extends CleverAgentsError {
  static readonly defaultReason: string = 'FORBIDDEN';
}

/** The request is right, the state is wrong. `details` names `state`, `allowed`, `hint` where they help. */
export class BusinessRuleViolation extends CleverAgentsError {
  static readonly defaultReason: string = 'INVALID_STATE';
}

export class DuplicateEntityError extends CleverAgentsError {
  static readonly defaultReason: string = 'ALREADY_EXISTS';
}

export class BudgetExceededError extends CleverAgentsError {
  static readonly defaultReason: string = 'BUDGET_EXCEEDED';
}

/** The plan's own work failed in a synchronous call. */
export class PlanError extends CleverAgentsError {
  static readonly defaultReason: string = 'PLAN_FAILED';
}

/** The server is not set up for what was asked. `details.key` names the setting. */
export class ConfigurationError extends CleverAgentsError {
  static readonly defaultReason: string = 'NOT_CONFIGURED';
}

export interface FieldProblem {
  /** Dotted path from the params object, for example `message.parts`. */
  readonly path: string;
  readonly message: string;
}

/** A parameter is missing, ill-typed, unknown or out of range. */
export class ValidationError extends CleverAgentsError {
  static readonly defaultReason: string = 'INVALID_PARAMS';

  constructor(
    readonly problems: readonly FieldProblem[],
    options: ErrorOptions & { reason?: string; details?: ErrorDetails } = {},
  ) {
    super(
      `Invalid params: ${problems.map((problem) => `${problem.path} ${problem.message}`).join('; ')}`,
      { errors: problems.map(({ path, message }) => ({ path, message })), ...options.details },
      options,
    );
  }

  static of(path: string, message: string, reason?: string): ValidationError {
    return new ValidationError([{ path, message }], reason === undefined ? {} : { reason });
  }
}

/** Base of the protocol's own failures (reference: Error Hierarchy). */
export class A2aError extends CleverAgentsError {
  static readonly defaultReason: string = 'A2A_ERROR';
}

export class A2aNotAvailableError extends A2aError {
  static override readonly defaultReason: string = 'NOT_AVAILABLE';
}

export class A2aVersionMismatchError extends A2aError {
  static override readonly defaultReason: string = 'VERSION_MISMATCH';
}

export class A2aOperationNotFoundError extends A2aError {
  static override readonly defaultReason: string = 'METHOD_NOT_FOUND';
}
