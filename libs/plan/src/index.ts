export { PlanModule } from './plan.module.js';
