import { Injectable } from '@nestjs/common';
import { AppLogger } from '@cleveragents/observability';
import type { TaskDelta } from '../domain/task-fold.js';
import { stateName } from '../domain/task-state.js';

/** One log line for each change of a task's state, once it is durable. */
@Injectable()
export class TransitionLog {
  constructor(private readonly logger: AppLogger) {}

  record({ identity, transitions }: TaskDelta): void {
    if (!this.logger.isEnabled('info')) return;
    for (const { from, to, reason, origin } of transitions) {
      const fields = {
        correlation_id: origin.correlationId,
        method: origin.method,
        principal: origin.userIdentity,
        task_id: identity.id,
        status_transition: `${from === null ? 'new' : stateName(from)} -> ${stateName(to)}`,
        ...(reason === null ? {} : { reason }),
      };
      this.logger.write('info', fields, 'task');
    }
  }
}
