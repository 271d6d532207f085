export { Clock, SystemClock } from './clock.js';
export {
  A2aError,
  A2aNotAvailableError,
  A2aOperationNotFoundError,
  A2aVersionMismatchError,
  AuthenticationError,
  AuthorizationError,
  BudgetExceededError,
  BusinessRuleViolation,
  CleverAgentsError,
  ConfigurationError,
  DuplicateEntityError,
  PlanError,
  ResourceNotFoundError,
  ValidationError,
  type ErrorDetails,
  type FieldProblem,
} from './errors.js';
export { isUlid, newUlid } from './ids.js';
export { canonicalJson, isJsonObject, type JsonObject, type JsonValue } from './json.js';
export { isNameSegment, NAME_SEGMENT_RULE } from './name-segment.js';
export { ANONYMOUS, ROLES, hasAtLeast, type Origin, type Principal, type Role } from './principal.js';
export { isWellFormed } from './well-formed.js';
