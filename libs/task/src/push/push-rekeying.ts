import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { AppLogger } from '@cleveragents/observability';
import { PushSecretsRepository, type SealedSecrets } from './push-secrets.repository.js';
import { SecretBox, type SecretPlace } from './secret-box.js';

const BATCH = 100;

/** Seals with the newest key what older ones have sealed: after a start, those may be taken out of the key file. */
@Injectable()
export class PushRekeying implements OnApplicationBootstrap {
  constructor(
    private readonly secrets: PushSecretsRepository,
    private readonly box: SecretBox,
    private readonly logger: AppLogger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const [, ...older] = this.box.keyIds;
    if (older.length > 0) await this.rekey(older);
    const unreadable = await this.secrets.countSealedByOthers(this.box.keyIds);
    if (unreadable === 0) return;
    this.logger.warn(`Not called, because a key is missing that sealed their secrets: ${unreadable} webhooks`);
  }

  private async rekey(older: readonly string[]): Promise<void> {
    for (;;) {
      const sealed = await this.secrets.sealedBy(older, BATCH);
      for (const secrets of sealed) await this.reseal(secrets);
      if (sealed.length < BATCH) return;
    }
  }

  private async reseal(secrets: SealedSecrets): Promise<void> {
    const { taskId, id, keyId } = secrets;
    const resealed = (field: SecretPlace['field']): string | null => {
      const sealed = secrets[field];
      if (sealed === null || keyId === null) return null;
      const place = { taskId, id, field };
      return this.box.seal(this.box.open(sealed, keyId, place), place);
    };
    const after = { token: resealed('token'), credentials: resealed('credentials'), keyId: this.box.keyId };
    await this.secrets.replace(secrets, after);
  }
}
