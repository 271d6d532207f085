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
  stepsById,
  type PlannedStep,
  type Steps,
  type Strategy,
  type StrategyOption,
} from './strategist.js';
export { render, renderMembers, renderTemplateText } from './template.js';
export { holds, type Place } from './when.js';
