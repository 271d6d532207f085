export type { ActionArgument, ActionSpec, ActionState, ArgumentType } from './domain/action-spec.js';
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
export { argumentProblem } from './domain/argument-rules.js';
export type { AutomationProfileSpec, PhaseGate, ThresholdName } from './domain/automation-profile-spec.js';
export type { Condition } from './domain/condition.js';
export type { EntityKind, Visibility } from './domain/entity-kind.js';
export type { ProjectSpec, ProjectValidation, ValidationMode } from './domain/project-spec.js';
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
