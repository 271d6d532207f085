import { CreateAudit1767225600000 } from './1767225600000-create-audit.js';
import { CreateRunner1767225600050 } from './1767225600050-create-runner.js';
import { CreateTask1767225600100 } from './1767225600100-create-task.js';
import { CreateNamespace1767225600200 } from './1767225600200-create-namespace.js';
import { CreateRegistryEntity1767225600300 } from './1767225600300-create-registry-entity.js';
import { CreatePlan1767225600400 } from './1767225600400-create-plan.js';
import { CreatePush1767225600500 } from './1767225600500-create-push.js';
import { IndexDuePlans1767225600600 } from './1767225600600-index-due-plans.js';
import { WatchWorkingTasks1767225600700 } from './1767225600700-watch-working-tasks.js';
import { CountTasks1767225600800 } from './1767225600800-count-tasks.js';
import { IndexClientRequests1767225600900 } from './1767225600900-index-client-requests.js';

/** Every migration, oldest first. A merged one is never changed: a correction is a new one at the end. */
export const MIGRATIONS = [
  CreateAudit1767225600000,
  CreateRunner1767225600050,
  CreateTask1767225600100,
  CreateNamespace1767225600200,
  CreateRegistryEntity1767225600300,
  CreatePlan1767225600400,
  CreatePush1767225600500,
  IndexDuePlans1767225600600,
  WatchWorkingTasks1767225600700,
  CountTasks1767225600800,
  IndexClientRequests1767225600900,
] as const;
