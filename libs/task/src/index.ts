export type { RequestKey } from './domain/idempotency.js';
export {
  Executor,
  type Accepted,
  type CancelReason,
  type ContinuedTask,
  type IncomingMessage,
  type TaskExecutor,
} from './task-executor.js';
export { TaskJournal, type NewTask, type TaskChange } from './task-journal.js';
export { TaskModule } from './task.module.js';
export { TaskWatcher } from './task-watcher.js';
