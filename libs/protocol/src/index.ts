export {
  TASK_STATES,
  isInterrupted,
  isTerminal,
  type Artifact,
  type ListTaskPushNotificationConfigsResponse,
  type ListTasksResponse,
  type Message,
  type MessageRole,
  type Part,
  type PushDelivery,
  type PushNotificationConfig,
  type SendMessageResponse,
  type StreamResponse,
  type Task,
  type TaskArtifactUpdate,
  type TaskPushNotificationConfig,
  type TaskState,
  type TaskStatus,
  type TaskStatusUpdate,
} from './a2a.js';
export {
  type AgentCapabilities,
  type AgentCard,
  type AgentCardSignature,
  type AgentExtension,
  type AgentInterface,
  type AgentSkill,
  type SecurityRequirement,
  type SecurityScheme,
} from './card/agent-card.js';
export { EXTENSION_URI, INPUT_MODES, buildCard10, type CardFacts } from './card/build-card.js';
export { cardETag } from './card/card-etag.js';
export { readCardKey, type CardKey } from './card/card-key.js';
export { signCard } from './card/sign-card.js';
export { type SkillId } from './card/skills.js';
export { supersetOf } from './card/superset-card.js';
export { bareEvents } from './codec/bare-events.js';
export { codecFor } from './codec/codec-for.js';
export { type DialectCodec, type StreamEncoder } from './codec/dialect-codec.js';
export { withMessageId } from './codec/message-id.js';
export { SUPPORTED_DIALECTS, type Dialect, type Operation } from './dialect.js';
export { messageProblems } from './message-problems.js';
export { OPERATION_NAMES, aliasesOf, findOperationName, type NameGrammar, type OperationName } from './operations.js';
export { negotiate, type Negotiation, type VersionRequest } from './version.js';
