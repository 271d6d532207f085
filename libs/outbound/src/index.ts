export { HostResolver } from './host-resolver.js';
export { OutboundClient, type OutboundCall, type OutboundResponse } from './outbound-client.js';
export { OutboundError, type OutboundFailure } from './outbound-error.js';
export { OutboundGuard } from './outbound-guard.js';
export { OutboundModule } from './outbound.module.js';
