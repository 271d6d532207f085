import type { Principal } from '@cleveragents/kernel';
import type { CommitIdentity } from './plan.entity.js';

/** Addresses under .invalid reach nobody (RFC 2606): the server does not know its users' real ones. */
const MAIL_DOMAIN = 'users.cleveragents.invalid';

/** How a caller stands in the commits of a plan; what git cannot hold in a name or an address becomes `-`. */
export function commitIdentityOf({ id, displayName }: Principal): CommitIdentity {
  const name = displayName.replace(/[<>\p{Cc}]+/gu, '-').trim();
  const mailbox = id.replace(/[^A-Za-z0-9._-]+/g, '-');
  return { name: name === '' ? mailbox : name, email: `${mailbox}@${MAIL_DOMAIN}` };
}
