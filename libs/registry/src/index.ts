export {
  ARGUMENT_TYPES,
  type ActionArgument,
  type ActionSpec,
  type ActionState,
  type ArgumentType,
} from './domain/action-spec.js';
export type {
  ActorGraph,
  ActorSpec,
  ActorStep,
  ActorStrategy,
  ActorType,
  GraphActorSpec,
  GraphEdge,
  GraphNode,
  LlmActorSpec,
  RemoteActorSpec,
  ToolActorSpec,
} from './domain/actor-spec.js';
export {
  THRESHOLDS,
  type AutomationProfileSpec,
  type PhaseGate,
  type ThresholdName,
} from './domain/automation-profile-spec.js';
export type { Condition } from './domain/condition.js';
export { ENTITY_KINDS, type EntityKind, type Visibility } from './domain/entity-kind.js';
export type { ProjectSpec, ProjectValidation, ValidationMode } from './domain/project-spec.js';
export { argumentProblem } from './domain/argument-rules.js';
export type { AttachedValidation, RegistryEntity, SpecOf } from './domain/registry-entity.js';
export type { ResourceSpec, ResourceTypeSpec } from './domain/resource-spec.js';
export type {
  ToolImplementation,
  ToolSource,
  ToolSpec,
  ValidationAttachment,
  ValidationSpec,
} from './domain/tool-spec.js';
export { PlanUsage, type PlanCounts, type PlanUsageSource } from './plan-usage.js';
export type { RegistryCaller } from './registry-caller.js';
export { RegistryModule } from './registry.module.js';
export { RegistryReader } from './registry-reader.js';
export { RegistryService } from './registry.service.js';
