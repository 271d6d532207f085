export { CoalescedWork } from './coalesced-work.js';
export { EngineModule } from './engine.module.js';
export { JobQueue } from './queue.js';
export { QueueModule } from './queue.module.js';
export { WakeUp } from './queue-wake-up.js';
export { WakeUpModule } from './wake-up.module.js';
export { RunnerLease, type Sweep } from './runner-lease.js';
