export { PlanLifecycle } from './plan-lifecycle.service.js';
export { PlanModule } from './plan.module.js';
export { PlanService } from './plan.service.js';
