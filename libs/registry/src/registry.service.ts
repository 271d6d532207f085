import { Injectable } from '@nestjs/common';
import type { RegistryEntity } from './domain/registry-entity.js';
import type { RegistryCaller } from './registry-caller.js';

/** Use cases of the registry. */
@Injectable()
export abstract class RegistryService {
  /** Puts an action out of use, for good; call inside the transaction that makes it so. Archived already = no change. */
  abstract archiveAction(action: RegistryEntity<'action'>, caller: RegistryCaller): Promise<void>;
}
