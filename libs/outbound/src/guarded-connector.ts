import type { LookupAddress, LookupOptions } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { buildConnector } from 'undici';
import { OutboundError } from './outbound-error.js';
import type { OutboundGuard } from './outbound-guard.js';

const CONNECT_TIMEOUT_MS = 10_000;
/** Node's own 250 ms would give up on a receiver at the other end of the world that has several addresses. */
const ATTEMPT_TIMEOUT_MS = 2000;

/**
 * Opens connections to allowed addresses only. The name is looked up here and the answer connected to, so a name that
 * meant something else when it was checked gains nothing; an address written in the URL is never looked up, hence the
 * check before; and what was connected to in the end has the last word.
 */
export function guardedConnector(guard: OutboundGuard): buildConnector.connector {
  const connect = buildConnector({
    lookup: guardedLookup(guard),
    timeout: CONNECT_TIMEOUT_MS,
    // The lookup answers with all addresses: Node must ask for them all.
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ATTEMPT_TIMEOUT_MS,
  });
  return (options, callback) => {
    const literal = options.hostname.replace(/^\[|\]$/g, '');
    if (isIP(literal) !== 0 && !guard.allows(literal)) {
      callback(new OutboundError('address_refused'), null);
      return;
    }
    connect(options, (...[error, socket]) => {
      if (error !== null) {
        callback(error, null);
      } else if (guard.allows(socket.remoteAddress ?? '')) {
        callback(null, socket);
      } else {
        socket.destroy();
        callback(new OutboundError('address_refused'), null);
      }
    });
  };
}

function guardedLookup(guard: OutboundGuard): LookupFunction {
  return callbackify(async (hostname: string, _options: LookupOptions): Promise<LookupAddress[]> => {
    const addresses = await guard.allowedAddresses(hostname);
    if (addresses.length === 0) throw new OutboundError('address_refused');
    return addresses.map((address) => ({ address, family: isIP(address) }));
  });
}
