import {
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { CoalescedWork, RunnerLease, WakeUp } from '@cleveragents/engine';
import { newUlid } from '@cleveragents/kernel';
import { AppLogger } from '@cleveragents/observability';
import { LiveTasks } from './live-tasks.js';
import { TaskEventBus } from './task-event-bus.js';
import { TaskReader } from './task-reader.js';

/** Signalled without the name of a task: whoever reads tasks that others change looks after them. */
const TOPIC = 'task-log';
/** At most so often is told, and looked, however many commits there are. */
const PAUSE_MS = 5;
/** Safety net under the signals, which may be lost. */
const POLL_MS = 1_500;

/**
 * Brings the events that other processes commit to the readers of this one, out of the table. After its own commits a
 * process gives one signal for many; as long as it is alone on its database it gives none.
 */
@Injectable()
export class FanOut implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly sender = newUlid();
  private readonly telling = new CoalescedWork(() => this.tell(), PAUSE_MS);
  private readonly looking = new CoalescedWork(() => this.look(), PAUSE_MS);
  private poll: NodeJS.Timeout | undefined;

  constructor(
    private readonly bus: TaskEventBus,
    private readonly live: LiveTasks,
    private readonly reader: TaskReader,
    private readonly wakeUp: WakeUp,
    private readonly lease: RunnerLease,
    private readonly logger: AppLogger,
  ) {}

  onModuleInit(): void {
    this.bus.commits.subscribe(() => {
      if (this.lease.hasNeighbours) this.telling.request();
    });
    this.bus.doubts.subscribe(() => {
      if (this.lease.hasNeighbours) this.looking.request();
    });
    this.wakeUp.on(TOPIC, (sender) => {
      if (sender !== this.sender) this.looking.request();
      // What this process told meanwhile was lost as well.
      if (sender === null) this.telling.request();
    });
  }

  onApplicationBootstrap(): void {
    this.poll = setInterval(() => this.looking.request(), POLL_MS);
    this.poll.unref();
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.poll);
  }

  private async tell(): Promise<void> {
    try {
      await this.wakeUp.signalNow(TOPIC, this.sender);
    } catch (error) {
      this.logger.write('debug', { err: error }, 'Other servers find out by themselves');
    }
  }

  /** What this process runs it hears of as it commits it; nobody else can have changed that. */
  private async look(): Promise<void> {
    const positions = this.bus.positions();
    for (const taskId of positions.keys()) if (this.live.runs(taskId)) positions.delete(taskId);
    if (positions.size === 0) return;
    try {
      const { events, isComplete } = await this.reader.eventsAfterEach(positions);
      for (const [taskId, news] of events) this.bus.relay(taskId, news);
      if (!isComplete) this.looking.request();
    } catch (error) {
      this.logger.write('warn', { err: error }, 'The events of other servers cannot be read');
    }
  }
}
