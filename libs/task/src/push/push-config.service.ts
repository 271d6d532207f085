import { Injectable } from '@nestjs/common';
import { AuditLog } from '@cleveragents/audit';
import { TransactionManager } from '@cleveragents/database';
import { WakeUp } from '@cleveragents/engine';
import type { CallContext } from '@cleveragents/jsonrpc';
import {
  AuthorizationError,
  BusinessRuleViolation,
  newUlid,
  ResourceNotFoundError,
  type Origin,
  type Principal,
} from '@cleveragents/kernel';
import { OutboundGuard } from '@cleveragents/outbound';
import type { Dialect } from '@cleveragents/protocol';
import type { StoredTask } from '../domain/stored-task.js';
import { plainText } from '../plain-text.js';
import { TaskVisibility } from '../task-visibility.js';
import { configAfter, configPageToken } from './domain/config-page-token.js';
import { checkSettings, HIDDEN, type PushSettings } from './domain/push-settings.js';
import type { CreatePushConfigParams, ListPushConfigsParams, PushConfigKeyParams } from './dto/push-config.params.js';
import type { ListPushConfigsView, PushConfigView } from './dto/push-config.view.js';
import { changeEntry } from './push-audit.js';
import type { PushConfigRow } from './push-config.entity.js';
import { PushConfigRepository } from './push-config.repository.js';
import { PUSH_TOPIC } from './push-watch.js';
import { SecretBox } from './secret-box.js';

const DEFAULT_PAGE = 50;

/** One event is one call to every webhook of its task: somebody else's server pays for them. */
const MAX_PER_TASK = 50;

/** Whose log a webhook follows. */
export interface PushPlace {
  readonly taskId: string;
  readonly owner: string;
  readonly namespace: string;
  readonly dialect: Dialect;
  /** The client's own id of the task (A2A 0.1). */
  readonly wireTaskId: string | null;
}

/** Webhooks of a task, for its owner alone (decisions P16). */
@Injectable()
export class PushConfigService {
  constructor(
    private readonly configs: PushConfigRepository,
    private readonly visibility: TaskVisibility,
    private readonly guard: OutboundGuard,
    private readonly box: SecretBox,
    private readonly audit: AuditLog,
    private readonly wakeUp: WakeUp,
    private readonly transactions: TransactionManager,
  ) {}

  /** Without an id it is a new one; with the id of one that is there it takes its place. */
  async create(params: CreatePushConfigParams, call: CallContext): Promise<PushConfigView> {
    const task = await this.ownTask(params.taskId, call.principal);
    await this.check(params);
    const place = placeOf(task, params.taskId, call.dialect);
    return this.keep({ ...params, id: params.id ?? newUlid() }, place, null, call.origin);
  }

  async get({ taskId, id }: PushConfigKeyParams, { principal }: CallContext): Promise<PushConfigView> {
    const task = await this.ownTask(taskId, principal);
    const row = await this.configs.find(task.id, plainText('id', id));
    if (row === null) throw ResourceNotFoundError.of('PushNotificationConfig', { task_id: taskId, id });
    return viewOf(row);
  }

  async list(
    { taskId, pageSize = DEFAULT_PAGE, pageToken }: ListPushConfigsParams,
    { principal }: CallContext,
  ): Promise<ListPushConfigsView> {
    const task = await this.ownTask(taskId, principal);
    const rows = await this.configs.page(task.id, configAfter(pageToken), pageSize + 1);
    const shown = rows.slice(0, pageSize);
    const last = shown.at(-1);
    const nextPageToken = rows.length > pageSize && last !== undefined ? configPageToken(last.id) : '';
    return { configs: shown.map(viewOf), nextPageToken };
  }

  /** One that is not there is deleted already. */
  async delete({ taskId, id }: PushConfigKeyParams, { principal, origin }: CallContext): Promise<void> {
    const task = await this.ownTask(taskId, principal);
    plainText('id', id);
    await this.transactions.run(async () => {
      const row = await this.configs.find(task.id, id);
      if (row === null || !(await this.configs.remove(task.id, id))) return;
      await this.audit.record(changeEntry(row, 'deleted', origin));
    });
  }

  /** Refuses settings that could not be used; `path` leads to them in the request. */
  async check(settings: PushSettings, path = ''): Promise<void> {
    checkSettings(settings, path);
    await this.guard.checkUrl(settings.url, `${path}url`);
  }

  requireOwner({ owner }: StoredTask, principal: Principal): void {
    if (owner !== principal.id) throw new AuthorizationError('Push notifications of a task are set up by its owner');
  }

  /** Stores settings that have passed the check; `seq` as in PushConfigRepository. */
  async keep(
    settings: PushSettings & { readonly id: string },
    place: PushPlace,
    seq: number | null,
    origin: Origin,
  ): Promise<PushConfigView> {
    const config = { ...place, ...this.sealed(settings, place) };
    return this.transactions.run(async () => {
      const isNew = await this.configs.put(config, seq);
      if (isNew && (await this.configs.count(place.taskId)) > MAX_PER_TASK) throw tooMany();
      await this.audit.record(changeEntry(config, isNew ? 'created' : 'updated', origin));
      await this.wakeUp.signal(PUSH_TOPIC, place.taskId);
      return viewOf(config);
    });
  }

  private async ownTask(id: string, principal: Principal): Promise<StoredTask> {
    const task = await this.visibility.read(id, principal);
    this.requireOwner(task, principal);
    return task;
  }

  private sealed({ id, url, token, authentication }: PushSettings & { readonly id: string }, { taskId }: PushPlace) {
    const seal = (secret: string | undefined, field: 'token' | 'credentials'): string | null =>
      secret === undefined ? null : this.box.seal(secret, { taskId, id, field });
    const secrets = { token: seal(token, 'token'), credentials: seal(authentication?.credentials, 'credentials') };
    const hasSecrets = secrets.token !== null || secrets.credentials !== null;
    return { id, url, scheme: authentication?.scheme ?? null, ...secrets, keyId: hasSecrets ? this.box.keyId : null };
  }
}

function placeOf(task: StoredTask, asked: string, dialect: Dialect): PushPlace {
  const { id: taskId, owner, namespace } = task;
  return { taskId, owner, namespace, dialect, wireTaskId: asked === taskId ? null : asked };
}

type ViewedConfig = Pick<PushConfigRow, 'taskId' | 'id' | 'url' | 'token' | 'scheme' | 'credentials'> &
  Partial<Pick<PushConfigRow, 'state' | 'reason' | 'failures'>>;

function viewOf(config: ViewedConfig): PushConfigView {
  const { taskId, id, url, token, scheme, credentials, state, reason = null, failures = 0 } = config;
  return {
    taskId,
    id,
    url,
    ...(token === null ? {} : { token: HIDDEN }),
    ...(scheme === null
      ? {}
      : { authentication: { scheme, ...(credentials === null ? {} : { credentials: HIDDEN }) } }),
    ...(reason === null ? {} : { delivery: { state: state === 'disabled' ? 'disabled' : 'active', reason, failures } }),
  };
}

function tooMany(): BusinessRuleViolation {
  return new BusinessRuleViolation(
    'The task has too many push notification configurations',
    { limit: MAX_PER_TASK },
    { reason: 'TOO_MANY_PUSH_CONFIGS' },
  );
}
