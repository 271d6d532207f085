export { ActorModule } from './actor.module.js';
export { checklistStrategy } from './checklist-strategist.js';
export {
  StepExecutor,
  type ProposedCall,
  type StepObserver,
  type StepOutcome,
  type StepRun,
  type StepRunEnd,
} from './step-executor.js';
export {
  chooseStrategy,
  recallStrategy,
  stepsById,
  type PlannedStep,
  type Steps,
  type Strategy,
  type StrategyOption,
} from './strategist.js';
export { renderTemplateText } from './template.js';
export type { Place } from './when.js';
