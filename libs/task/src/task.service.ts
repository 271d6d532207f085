import { Inject, Injectable } from '@nestjs/common';
import { Authorizer } from '@cleveragents/auth';
import { APP_CONFIG, type AppConfig } from '@cleveragents/config';
import { RawJson, type CallContext } from '@cleveragents/jsonrpc';
import { ResourceNotFoundError, ValidationError } from '@cleveragents/kernel';
import { isTerminal } from '@cleveragents/protocol';
import { pageToken, readPageToken } from './domain/page-token.js';
import type { CancelTaskParams, GetTaskParams, ListTasksParams } from './dto/task.params.js';
import { Executors } from './executors.js';
import { historyLimit } from './history-length.js';
import { plainText } from './plain-text.js';
import { requestedNamespace } from './requested-namespace.js';
import { TaskCounts } from './task-counts.js';
import { notCancelable } from './task-errors.js';
import { TaskVisibility } from './task-visibility.js';
import { TaskRepository, type TaskFilter } from './task.repository.js';

const DEFAULT_PAGE = 50;

/** GetTask, ListTasks and CancelTask. */
@Injectable()
export class TaskService {
  constructor(
    private readonly visibility: TaskVisibility,
    private readonly repository: TaskRepository,
    private readonly counts: TaskCounts,
    private readonly executors: Executors,
    private readonly authorizer: Authorizer,
    @Inject(APP_CONFIG) private readonly config: AppConfig,
  ) {}

  async get({ id, historyLength }: GetTaskParams, { principal }: CallContext): Promise<RawJson> {
    const history = historyLimit(historyLength, this.config.a2a.historyDefault);
    const task = await this.visibility.read(id, principal, { history, artifacts: true });
    return new RawJson(task.text(), task.dialect);
  }

  /** Newest status first; the page token is bound to the filters it was given out for. */
  async list(params: ListTasksParams, call: CallContext): Promise<RawJson> {
    const filter = this.filterOf(params, call);
    const pageSize = params.pageSize ?? DEFAULT_PAGE;
    const after = readPageToken(params.pageToken, filter);
    const history = historyLimit(params.historyLength, this.config.a2a.historyDefault);
    const artifacts = params.includeArtifacts ?? false;
    const [tasks, totalSize] = await Promise.all([
      this.repository.page(filter, after, pageSize + 1, { history, artifacts }),
      this.total(filter),
    ]);
    const shown = tasks.slice(0, pageSize);
    const last = shown.at(-1);
    const token = tasks.length > pageSize && last !== undefined ? pageToken(last, filter) : '';
    const texts = shown.map((task) => task.text()).join(',');
    return new RawJson(
      `{"tasks":[${texts}],"nextPageToken":"${token}","pageSize":${pageSize},"totalSize":${totalSize}}`,
    );
  }

  /** The first terminal write wins. Canceling a canceled task again is no error in A2A 1.0, and one before (P12). */
  async cancel({ id }: CancelTaskParams, call: CallContext): Promise<RawJson> {
    const task = await this.visibility.read(id, call.principal);
    this.visibility.requireRole(task, call.principal, 'operator');
    const isRepeat = task.state === 'TASK_STATE_CANCELED' && call.dialect === '1.0';
    if (isTerminal(task.state) && !isRepeat) throw notCancelable(task.state);
    if (!isRepeat) await this.executors.named(task.executor).cancel(task, call, 'CANCELED_BY_CLIENT');
    return this.get({ id }, call);
  }

  /** Where the filter goes beyond what is counted, the tasks of one context or of some time are looked at. */
  private total(filter: TaskFilter): Promise<number> {
    const isCounted = filter.contextId === null && filter.since === null;
    return isCounted ? this.counts.count(filter) : this.repository.count(filter);
  }

  private filterOf(params: ListTasksParams, { principal }: CallContext): TaskFilter {
    const namespace = requestedNamespace(params, principal);
    if (namespace !== null) {
      const notFound = (): Error => ResourceNotFoundError.of('Namespace', { namespace });
      this.authorizer.requireRole(principal, namespace, 'viewer', notFound);
    }
    const { contextId, status, statusTimestampAfter } = params;
    return {
      owner: namespace === null ? principal.id : null,
      namespace,
      contextId: contextId === undefined ? null : plainText('contextId', contextId),
      state: status ?? null,
      since: statusTimestampAfter === undefined ? null : sinceOf(statusTimestampAfter),
    };
  }
}

/** Before the first task there could be, every moment is the same one: the database knows fewer years than RFC 3339. */
function sinceOf(timestamp: string): string {
  const ms = Date.parse(timestamp);
  if (Number.isNaN(ms)) throw ValidationError.of('statusTimestampAfter', 'must be an RFC 3339 date-time');
  return new Date(Math.max(ms, 0)).toISOString();
}
