import { JsonRpcHandler, JsonRpcMethod, NoParams, type CallContext } from '@cleveragents/jsonrpc';
import { HealthView } from './dto/health.view.js';
import { HealthService } from './health.service.js';

@JsonRpcHandler({ tag: 'health' })
export class HealthRpc {
  constructor(private readonly health: HealthService) {}

  @JsonRpcMethod('_cleveragents/health/check', {
    summary: 'Server health; without credentials only the status',
    params: NoParams,
    result: HealthView,
    access: 'public',
  })
  async check(_params: NoParams, call: CallContext): Promise<HealthView> {
    if (call.principal.kind === 'anonymous') return { status: await this.health.status() };
    return this.health.report();
  }
}
