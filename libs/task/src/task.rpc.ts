import {
  JsonRpcHandler,
  JsonRpcMethod,
  JsonRpcStream,
  RawJson,
  type CallContext,
  type StreamEvent,
} from '@cleveragents/jsonrpc';
import { map, type Observable } from 'rxjs';
import { SendMessageParams } from './dto/send-message.params.js';
import { CancelTaskParams, GetTaskParams, ListTasksParams, SubscribeToTaskParams } from './dto/task.params.js';
import { ListTasksView, SendMessageView, StreamResponseView, TaskView } from './dto/task.view.js';
import { MessageService } from './message.service.js';
import { SignedParts } from './signed-parts.js';
import { TaskStreams } from './task-streams.js';
import { TaskService } from './task.service.js';

/** The standard A2A operations on messages and tasks, in the form of A2A 1.0 (specification §3.1). */
@JsonRpcHandler({ tag: 'tasks' })
export class TaskRpc {
  constructor(
    private readonly messages: MessageService,
    private readonly tasks: TaskService,
    private readonly streams: TaskStreams,
    private readonly parts: SignedParts,
  ) {}

  @JsonRpcMethod('SendMessage', {
    operation: 'SendMessage',
    summary: 'Sends a message to the agent; answers the task, or a direct message',
    params: SendMessageParams,
    result: SendMessageView,
    access: 'authenticated',
  })
  async send(params: SendMessageParams, call: CallContext): Promise<RawJson> {
    return this.parts.inResult(await this.messages.send(params, call));
  }

  @JsonRpcStream('SendStreamingMessage', {
    operation: 'SendStreamingMessage',
    summary: 'Sends a message and streams what becomes of it',
    params: SendMessageParams,
    result: StreamResponseView,
    access: 'authenticated',
  })
  stream(params: SendMessageParams, call: CallContext): Observable<StreamEvent> {
    return this.messages.stream(params, call).pipe(map((event) => this.parts.inEvent(event)));
  }

  @JsonRpcMethod('GetTask', {
    operation: 'GetTask',
    summary: 'Reads a task',
    params: GetTaskParams,
    result: TaskView,
    access: 'authenticated',
  })
  async get(params: GetTaskParams, call: CallContext): Promise<RawJson> {
    return this.parts.inResult(await this.tasks.get(params, call));
  }

  @JsonRpcMethod('ListTasks', {
    operation: 'ListTasks',
    summary: 'Lists tasks, the newest status first',
    params: ListTasksParams,
    result: ListTasksView,
    access: 'authenticated',
  })
  async list(params: ListTasksParams, call: CallContext): Promise<RawJson> {
    return this.parts.inResult(await this.tasks.list(params, call));
  }

  @JsonRpcMethod('CancelTask', {
    operation: 'CancelTask',
    summary: 'Cancels a task that is not over',
    params: CancelTaskParams,
    result: TaskView,
    access: 'authenticated',
  })
  async cancel(params: CancelTaskParams, call: CallContext): Promise<RawJson> {
    return this.parts.inResult(await this.tasks.cancel(params, call));
  }

  @JsonRpcStream('SubscribeToTask', {
    operation: 'SubscribeToTask',
    summary: 'Streams a task from now on, or from a replay cursor',
    aliases: ['event.subscribe'],
    params: SubscribeToTaskParams,
    result: StreamResponseView,
    access: 'authenticated',
  })
  subscribe(params: SubscribeToTaskParams, call: CallContext): Observable<StreamEvent> {
    return this.streams.subscribe(params, call).pipe(map((event) => this.parts.inEvent(event)));
  }
}
