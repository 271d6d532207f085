import type { Caller } from '@cleveragents/jsonrpc';
import { HostResolver, OutboundGuard } from '@cleveragents/outbound';
import type { TaskPushNotificationConfig } from '@cleveragents/protocol';
import type { TestDatabase } from '@cleveragents/testing';
import { expect } from 'vitest';
import { AT_ONCE, HeldAgent, saying, TaskPlatform, type Answer } from '../task-platform.fixture.js';
import type { PushSettings } from './domain/push-settings.js';

export const V1 = { versionHeader: '1.0' };

/** Answers of a name server. */
export class Names extends HostResolver {
  /** Lists of addresses; of several, the next one at each question, and the last one from then on. */
  constructor(private readonly addresses: Record<string, string[][]>) {
    super();
  }

  resolve(hostname: string): Promise<readonly string[]> {
    const answers = this.addresses[hostname] ?? [];
    return Promise.resolve((answers.length > 1 ? answers.shift() : answers[0]) ?? []);
  }
}

/** The task module with webhooks on this machine, or with the addresses that `guard` allows. */
export function startPlatform(
  variables: Record<string, string> = {},
  shared?: TestDatabase,
  guard?: OutboundGuard,
): Promise<TaskPlatform> {
  const settings = { PUSH_ALLOW_LOOPBACK: 'on', ...variables };
  if (guard === undefined) return TaskPlatform.start(settings, shared);
  return TaskPlatform.start(settings, shared, (builder) => builder.overrideProvider(OutboundGuard).useValue(guard));
}

/** A working task that a test moves on by hand. */
export class HeldTask {
  private constructor(
    private readonly platform: TaskPlatform,
    private readonly agent: HeldAgent,
    readonly id: string,
  ) {}

  static async start(platform: TaskPlatform, settings?: PushSettings): Promise<HeldTask> {
    const agent = new HeldAgent();
    platform.host(agent);
    const configuration = { ...AT_ONCE.configuration, taskPushNotificationConfig: settings };
    const { id } = await platform.send(saying('work', {}, settings === undefined ? AT_ONCE : { configuration }));
    await agent.begun(1);
    await platform.live.find(id)?.settled();
    return new HeldTask(platform, agent, id);
  }

  /** One more event: a piece of text. */
  async chunk(text: string): Promise<void> {
    this.agent.runs.at(-1)?.artifact({ artifactId: 'a', parts: [{ text }] }, { append: true });
    await this.platform.live.find(this.id)?.settled();
  }

  async complete(): Promise<void> {
    this.agent.end(this.id);
    await this.platform.rest(this.id);
  }
}

/** A webhook of a task, by A2A 1.0. */
export async function createConfig(
  platform: TaskPlatform,
  taskId: string,
  settings: PushSettings,
  caller: Partial<Caller> = V1,
): Promise<TaskPushNotificationConfig & { readonly id: string }> {
  const { result, error } = await platform.rpc<TaskPushNotificationConfig & { id: string }>(
    'CreateTaskPushNotificationConfig',
    { taskId, ...settings },
    caller,
  );
  if (result === undefined) throw new Error(error?.message);
  return result;
}

export function getConfig(
  platform: TaskPlatform,
  { taskId, id }: { readonly taskId: string; readonly id: string },
): Promise<Answer<TaskPushNotificationConfig>> {
  return platform.rpc('GetTaskPushNotificationConfig', { taskId, id }, V1);
}

/** Resolves once the receiver is known to have everything. */
export async function delivered(platform: TaskPlatform, taskId: string): Promise<void> {
  const open = () =>
    platform.query(
      `SELECT c.id FROM push_config c JOIN task t ON t.id = c.task_id
       WHERE c.task_id = $1 AND (c.delivered_seq < t.last_seq OR c.claimed_by IS NOT NULL)`,
      [taskId],
    );
  await expect.poll(open, { timeout: 10_000 }).toEqual([]);
}
