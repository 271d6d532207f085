import type { TestingModule } from '@nestjs/testing';
import { TransactionManager } from '@cleveragents/database';
import type { Origin } from '@cleveragents/kernel';
import { TestDatabase } from '@cleveragents/testing';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AuditLog } from './audit-log.js';
import { AuditModule } from './audit.module.js';

const origin: Origin = { userIdentity: 'ada', tokenId: 'token-1', method: 'plan/use', correlationId: 'call-1' };

describe('AuditRepository', () => {
  let database: TestDatabase;
  let module: TestingModule;
  let audit: AuditLog;

  beforeAll(async () => {
    database = await TestDatabase.create();
    module = await database.module({ imports: [AuditModule] }).compile();
    await module.init();
    audit = module.get(AuditLog);
  });

  afterAll(async () => {
    await module.close();
    await database.drop();
  });

  async function rowsOf(event: string): Promise<Record<string, unknown>[]> {
    return module.get(DataSource).query('SELECT * FROM audit WHERE event = $1 ORDER BY id', [event]);
  }

  it('stores who did what to which entity, with the time of the database', async () => {
    await audit.record({
      event: 'plan_created',
      outcome: 'ok',
      origin,
      namespace: 'acme',
      planId: 'plan-1',
      entity: { kind: 'plan', name: 'acme/exclaim', revision_before: null, revision_after: 1 },
    });
    const [row] = await rowsOf('plan_created');
    expect(row).toMatchObject({
      outcome: 'ok',
      method: 'plan/use',
      user_identity: 'ada',
      token_id: 'token-1',
      namespace: 'acme',
      task_id: null,
      plan_id: 'plan-1',
      correlation_id: 'call-1',
      entity: '{"kind":"plan","name":"acme/exclaim","revision_before":null,"revision_after":1}',
    });
    expect(row?.at).toBeInstanceOf(Date);
  });

  it('keeps NUL characters and lone surrogates in details', async () => {
    const details = { text: 'a\u0000b\ud800c' };
    await audit.record({ event: 'odd_text', outcome: 'ok', origin, namespace: null, details });
    const [row] = await rowsOf('odd_text');
    expect(JSON.parse(String(row?.details))).toEqual(details);
  });

  it('vanishes with the transaction it belongs to', async () => {
    const work = module.get(TransactionManager).run(async () => {
      await audit.record({ event: 'undone', outcome: 'ok', origin, namespace: null });
      throw new Error('refused');
    });
    await expect(work).rejects.toThrow('refused');
    expect(await rowsOf('undone')).toEqual([]);
  });
});
