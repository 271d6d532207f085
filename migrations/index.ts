import { CreateAudit1767225600000 } from './1767225600000-create-audit.js';
import { CreateRunner1767225600050 } from './1767225600050-create-runner.js';
import { CreateTask1767225600100 } from './1767225600100-create-task.js';
import { CreatePlan1767225600400 } from './1767225600400-create-plan.js';

/** Every migration, oldest first. A merged one is never changed: a correction is a new one at the end. */
export const MIGRATIONS = [
  CreateAudit1767225600000,
  CreateRunner1767225600050,
  CreateTask1767225600100,
  CreatePlan1767225600400,
] as const;
