import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { CallContext } from '@cleveragents/jsonrpc';
import { canonicalJson } from '@cleveragents/kernel';
import { BARE, TaskReader } from '../log/task-reader.js';
import type { Accepted } from '../task-executor.js';
import { TaskVisibility } from '../task-visibility.js';
import type { PushSettings } from './domain/push-settings.js';
import { PushConfigService } from './push-config.service.js';

const PATH = 'configuration.taskPushNotificationConfig.';

/** The message that a webhook comes with. */
export interface AccompaniedMessage {
  readonly messageId: string;
  /** How the caller names the task that goes on; undefined = the message begins one. */
  readonly taskId: string | undefined;
  /** The caller's own id of the task (A2A 0.1). */
  readonly clientTaskId: string | undefined;
  /** Of the task if it is a new one. */
  readonly namespace: string;
}

/** Webhooks that come with a message (`configuration.taskPushNotificationConfig`). */
@Injectable()
export class InlinePush {
  constructor(
    private readonly configs: PushConfigService,
    private readonly visibility: TaskVisibility,
    private readonly reader: TaskReader,
  ) {}

  /**
   * Everything is checked before the message is; a refused message leaves no webhook. The webhook is stored before
   * anybody is answered, and hears of everything that the message leads to, also what was committed before it.
   */
  async accompany(
    settings: PushSettings,
    message: AccompaniedMessage,
    call: CallContext,
    accept: () => Promise<Accepted>,
  ): Promise<Accepted> {
    await this.configs.check(settings, PATH);
    const seq = await this.lastSeq(message, call);
    const accepted = await accept();
    // A direct message has no events.
    if (!('taskId' in accepted)) return accepted;
    try {
      await this.keep(settings, message, { taskId: accepted.taskId, seq }, call);
    } catch (error) {
      // Accepted is accepted: its work is done although its sender hears of a failure.
      accepted.start?.();
      throw error;
    }
    return accepted;
  }

  private async lastSeq({ taskId, clientTaskId }: AccompaniedMessage, { principal }: CallContext): Promise<number> {
    const named = taskId ?? clientTaskId;
    const task = named === undefined ? null : await this.visibility.find(named, principal);
    if (task === null) return 0;
    this.configs.requireOwner(task, principal);
    return task.lastSeq;
  }

  private async keep(
    settings: PushSettings,
    { messageId, clientTaskId, namespace }: AccompaniedMessage,
    { taskId, seq }: { readonly taskId: string; readonly seq: number },
    { principal, dialect, origin }: CallContext,
  ): Promise<void> {
    const task = await this.reader.read(taskId, BARE);
    // An executor may answer a message with a task that is there already, and that may be a colleague's.
    if (task !== null && task.owner !== principal.id) return;
    const place = { taskId, owner: principal.id, namespace: task?.namespace ?? namespace, dialect };
    const id = settings.id ?? idOf(messageId, settings);
    await this.configs.keep({ ...settings, id }, { ...place, wireTaskId: clientTaskId ?? null }, seq, origin);
  }
}

/** The same for every copy of a message, so that a retry adds no second webhook; new for every other message. */
function idOf(messageId: string, settings: PushSettings): string {
  return hash('sha256', canonicalJson([messageId, settings]), 'hex').slice(0, 32);
}
