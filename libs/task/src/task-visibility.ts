import { Injectable } from '@nestjs/common';
import { Authorizer } from '@cleveragents/auth';
import { AuthorizationError, hasAtLeast, type Principal, type Role } from '@cleveragents/kernel';
import { clientTaskKey } from './domain/idempotency.js';
import type { StoredTask } from './domain/stored-task.js';
import { BARE, TaskReader, type ReadOptions } from './log/task-reader.js';
import { taskNotFound } from './task-errors.js';

/** Who may see and touch which task (decisions P16): its owner, and by role whoever belongs to its namespace. */
@Injectable()
export class TaskVisibility {
  constructor(
    private readonly reader: TaskReader,
    private readonly authorizer: Authorizer,
  ) {}

  /** The task if the caller may see it; for the caller anything else does not exist. */
  async read(id: string, principal: Principal, options: ReadOptions = BARE): Promise<StoredTask> {
    const task = await this.find(id, principal, options);
    if (task === null) throw taskNotFound(id);
    return task;
  }

  /** By the id of the task, or by the name that the caller, a client of A2A 0.1, gave it. */
  async find(id: string, principal: Principal, options: ReadOptions = BARE): Promise<StoredTask | null> {
    const task = await this.reader.read(id, options);
    if (task !== null && this.isVisible(task, principal)) return task;
    const named = await this.reader.read(clientTaskKey(principal.id, id).taskId, options);
    return named !== null && this.isVisible(named, principal) ? named : null;
  }

  /** Throws unless the caller owns the task or has the role in its namespace. */
  requireRole(task: StoredTask, principal: Principal, role: Role): void {
    if (task.owner === principal.id) return;
    if (hasAtLeast(this.authorizer.roleIn(principal, task.namespace), role)) return;
    throw new AuthorizationError(`This needs the role ${role} in ${task.namespace}`, {
      required_role: role,
      namespace: task.namespace,
    });
  }

  private isVisible(task: StoredTask, principal: Principal): boolean {
    return task.owner === principal.id || this.authorizer.roleIn(principal, task.namespace) !== undefined;
  }
}
