import type { Origin, Principal } from '@cleveragents/kernel';

/** Who asks the registry for a change, and by which call. */
export interface RegistryCaller {
  readonly principal: Principal;
  readonly origin: Origin;
}
