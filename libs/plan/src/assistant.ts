import { Injectable } from '@nestjs/common';
import { TransactionManager } from '@cleveragents/database';
import { ParamsChecks, type CallContext } from '@cleveragents/jsonrpc';
import {
  AuthenticationError,
  CleverAgentsError,
  DuplicateEntityError,
  newUlid,
  type JsonObject,
  type Principal,
} from '@cleveragents/kernel';
import type { Message, TaskState } from '@cleveragents/protocol';
import {
  Executor,
  TaskJournal,
  type Accepted,
  type ContinuedTask,
  type IncomingMessage,
  type TaskChange,
  type TaskExecutor,
} from '@cleveragents/task';
import { GRAMMAR, readRequest } from './assistant-grammar.js';
import { UsePlanParams } from './dto/use-plan.params.js';
import type { UsePlanView } from './dto/use-plan.view.js';
import type { PlanCircumstances } from './plan-creation.js';
import { PlanResumption } from './plan-resumption.js';
import { PlanService } from './plan.service.js';
import { requireReadable } from './readable-parts.js';

const NAME = 'assistant';

/**
 * Takes messages that belong to no task yet. Without a model it understands one small language, says so when it is
 * spoken to in another, and starts plans by the same service as plan/use.
 */
@Executor({ handlesNewTasks: true })
@Injectable()
export class Assistant implements TaskExecutor {
  readonly name = NAME;
  private readonly checkUse = new ParamsChecks().compile(UsePlanParams, true);

  constructor(
    private readonly tx: TransactionManager,
    private readonly tasks: TaskJournal,
    private readonly plans: PlanService,
    private readonly resumption: PlanResumption,
  ) {}

  async begin(incoming: IncomingMessage, call: CallContext): Promise<Accepted> {
    requireReadable(incoming.message);
    const request = readRequest(incoming.message);
    const { contextId } = incoming.message;
    if (request.kind === 'help') return directMessage(GRAMMAR, incoming);
    try {
      if (request.kind === 'use') return { taskId: (await this.use(request.params, incoming, call)).task_id };
      if (request.kind === 'resume' && contextId !== undefined) {
        return { taskId: await this.resumption.resume(contextId, incoming.message, call) };
      }
      if (request.kind === 'undo' && contextId !== undefined) {
        return { taskId: await this.resumption.undo(contextId, incoming.message, call) };
      }
    } catch (error) {
      return refusal(error, incoming);
    }
    return { taskId: await this.ask(incoming, call) };
  }

  /** The assistant's own task is over as soon as the plan that it was to start has one. */
  async proceed(task: ContinuedTask, { message }: IncomingMessage, call: CallContext): Promise<void> {
    requireReadable(message);
    const request = readRequest(message);
    await this.tx.run(async () => {
      const answer = request.kind === 'use' ? await this.started(task, request.params, call) : ASKS_AGAIN;
      const status = agentMessage(answer.text, { taskId: task.id, contextId: task.contextId }, answer.data);
      const changes: TaskChange[] = [
        { kind: 'message', message },
        { kind: 'status', state: answer.state, message: status },
      ];
      await this.tasks.append(task.id, changes, call.origin);
    });
  }

  async cancel(task: ContinuedTask, call: CallContext): Promise<void> {
    await this.tx.run(() =>
      this.tasks.append(task.id, [{ kind: 'status', state: 'TASK_STATE_CANCELED' }], call.origin),
    );
  }

  private async use(params: JsonObject, incoming: IncomingMessage, call: CallContext): Promise<UsePlanView> {
    const { message, requestKey } = incoming;
    const contextId = message.contextId;
    const circumstances: PlanCircumstances = { message, requestKey, ...(contextId === undefined ? {} : { contextId }) };
    return this.plans.createPlan(this.checkUse(params) as UsePlanParams, call, circumstances);
  }

  private async ask(incoming: IncomingMessage, call: CallContext): Promise<string> {
    const { message, namespace, requestKey } = incoming;
    const contextId = message.contextId ?? newUlid();
    const owner: Principal['id'] = call.principal.id;
    const task = {
      owner,
      namespace,
      contextId,
      dialect: call.dialect,
      executor: NAME,
      messages: [message],
      requestKey,
    };
    return this.tx.run(async () => {
      const taskId = await this.tasks.create(task, call.origin);
      const status = agentMessage(GRAMMAR, { taskId, contextId });
      const change = { kind: 'status', state: 'TASK_STATE_INPUT_REQUIRED', message: status } as const;
      await this.tasks.append(taskId, [change], call.origin);
      return taskId;
    });
  }

  private async started({ contextId }: ContinuedTask, params: JsonObject, call: CallContext): Promise<TaskAnswer> {
    const plan = await this.plans.createPlan(this.checkUse(params) as UsePlanParams, call, { contextId });
    const text = `Plan ${plan.namespaced_name} has started; its task is ${plan.task_id}`;
    return { state: 'TASK_STATE_COMPLETED', text, data: { plan_id: plan.plan_id, task_id: plan.task_id } };
  }
}

interface TaskAnswer {
  readonly state: TaskState;
  readonly text: string;
  readonly data?: JsonObject;
}

const ASKS_AGAIN: TaskAnswer = { state: 'TASK_STATE_INPUT_REQUIRED', text: GRAMMAR };

function agentMessage(text: string, place: Pick<Message, 'taskId' | 'contextId'>, data?: JsonObject): Message {
  const parts: Message['parts'] = [{ text }];
  if (data !== undefined) parts.push({ data, mediaType: 'application/json' });
  return { messageId: newUlid(), role: 'ROLE_AGENT', parts, ...place };
}

function directMessage(text: string, { message }: IncomingMessage, data?: JsonObject): Accepted {
  const { contextId } = message;
  return { message: agentMessage(text, contextId === undefined ? {} : { contextId }, data) };
}

/**
 * What was understood and cannot be done is said in a message. Who may not speak at all gets the error, and so does the
 * twin of a request that is being served: the caller of this executor joins it to the first one.
 */
function refusal(error: unknown, incoming: IncomingMessage): Accepted {
  const isTwin = error instanceof DuplicateEntityError;
  if (!(error instanceof CleverAgentsError) || isTwin || error instanceof AuthenticationError) throw error;
  const { reason, message, details } = error;
  return directMessage(`Refused: ${message}`, incoming, { error: { reason, message, ...details } });
}
