import { JsonRpcHandler, JsonRpcMethod, RawJson, type CallContext } from '@cleveragents/jsonrpc';
import { CreatePushConfigParams, ListPushConfigsParams, PushConfigKeyParams } from './dto/push-config.params.js';
import { ListPushConfigsView, NothingView, PushConfigView } from './dto/push-config.view.js';
import { PushConfigService } from './push-config.service.js';

const NOTHING = new RawJson('null');

/** The standard A2A operations on webhooks of tasks, in the form of A2A 1.0 (specification §3.1.7–3.1.10). */
@JsonRpcHandler({ tag: 'push notifications' })
export class PushRpc {
  constructor(private readonly configs: PushConfigService) {}

  @JsonRpcMethod('CreateTaskPushNotificationConfig', {
    operation: 'CreateTaskPushNotificationConfig',
    summary: 'Has the events of a task posted to a webhook',
    params: CreatePushConfigParams,
    result: PushConfigView,
    access: 'authenticated',
  })
  create(params: CreatePushConfigParams, call: CallContext): Promise<PushConfigView> {
    return this.configs.create(params, call);
  }

  @JsonRpcMethod('GetTaskPushNotificationConfig', {
    operation: 'GetTaskPushNotificationConfig',
    summary: 'Reads the configuration of a webhook; its secrets stay hidden',
    params: PushConfigKeyParams,
    result: PushConfigView,
    access: 'authenticated',
  })
  get(params: PushConfigKeyParams, call: CallContext): Promise<PushConfigView> {
    return this.configs.get(params, call);
  }

  @JsonRpcMethod('ListTaskPushNotificationConfigs', {
    operation: 'ListTaskPushNotificationConfigs',
    summary: 'Lists the webhooks of a task',
    params: ListPushConfigsParams,
    result: ListPushConfigsView,
    access: 'authenticated',
  })
  list(params: ListPushConfigsParams, call: CallContext): Promise<ListPushConfigsView> {
    return this.configs.list(params, call);
  }

  @JsonRpcMethod('DeleteTaskPushNotificationConfig', {
    operation: 'DeleteTaskPushNotificationConfig',
    summary: 'Ends the calls to a webhook, for good',
    params: PushConfigKeyParams,
    result: NothingView,
    access: 'authenticated',
  })
  async delete(params: PushConfigKeyParams, call: CallContext): Promise<RawJson> {
    await this.configs.delete(params, call);
    return NOTHING;
  }
}
