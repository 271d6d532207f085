export {
  TASK_STATES,
  isInterrupted,
  isTerminal,
  type Artifact,
  type ListTasksResponse,
  type Message,
  type MessageRole,
  type Part,
  type PushNotificationConfig,
  type SendMessageResponse,
  type StreamResponse,
  type Task,
  type TaskArtifactUpdate,
  type TaskState,
  type TaskStatus,
  type TaskStatusUpdate,
} from './a2a.js';
export { OPERATIONS, type Dialect, type Operation } from './dialect.js';
export {
  OPERATION_NAMES,
  aliasesOf,
  findOperationName,
  nameIn,
  type NameGrammar,
  type OperationName,
} from './operations.js';
export { SUPPORTED_VERSIONS, negotiate, type Negotiation, type VersionRequest } from './version.js';
export { type DialectCodec } from './codec.js';
