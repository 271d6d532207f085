import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Plans, what they froze, decided, did and found. JSON is kept as escaped text, which also holds U+0000. */
export class CreatePlan1767225600400 implements MigrationInterface {
  name = 'CreatePlan1767225600400';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(PLAN);
    await runner.query(`
      CREATE UNIQUE INDEX plan_created_by_key ON plan (created_by, idempotency_key) WHERE idempotency_key IS NOT NULL`);
    await runner.query('CREATE INDEX plan_namespace ON plan (namespace, id)');
    await runner.query('CREATE INDEX plan_context ON plan (context_id, id)');
    await runner.query('CREATE INDEX plan_lease ON plan (lease_owner) WHERE lease_owner IS NOT NULL');
    await runner.query('CREATE INDEX plan_resting ON plan (resting_since) WHERE resting_since IS NOT NULL');
    await runner.query(`
      CREATE INDEX plan_kept_sandbox ON plan (ended_at) WHERE state = 'cancelled' AND is_sandbox_kept`);
    for (const table of PARTS) await runner.query(table);
    await runner.query('CREATE INDEX plan_reference_entity ON plan_reference (kind, name, plan_id)');
    await runner.query('CREATE INDEX plan_task_plan ON plan_task (plan_id, ordinal)');
    await runner.query('CREATE UNIQUE INDEX plan_decision_sequence ON plan_decision (plan_id, sequence)');
    await runner.query('CREATE UNIQUE INDEX plan_checkpoint_order ON plan_checkpoint (plan_id, ordinal)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE plan_validation_result, plan_checkpoint, plan_step, plan_decision, plan_task, plan_reference,
        plan_snapshot, plan`);
  }
}

const PLAN = `
  CREATE TABLE plan (
    id                text        NOT NULL CONSTRAINT plan_pkey PRIMARY KEY,
    name              text        NOT NULL,
    namespace         text        NOT NULL,
    namespaces        text[]      NOT NULL,
    created_by        text        NOT NULL,
    idempotency_key   text,
    request_hash      text,
    action            text        NOT NULL,
    project           text        NOT NULL,
    profile           text        NOT NULL,
    phase             text        NOT NULL,
    state             text        NOT NULL,
    version           integer     NOT NULL,
    attempt           integer     NOT NULL,
    is_read_only      boolean     NOT NULL,
    is_unattended     boolean     NOT NULL,
    may_creator_apply boolean     NOT NULL,
    is_recoverable    boolean     NOT NULL,
    is_committed      boolean     NOT NULL,
    is_rebase_due     boolean     NOT NULL,
    is_attention_over boolean     NOT NULL,
    is_sandbox_kept   boolean     NOT NULL,
    awaiting          text,
    gate_overrides    text        NOT NULL,
    failure           text,
    strategy          text,
    sandboxes         text        NOT NULL,
    changeset         text,
    apply_request     text,
    apply_outcome     text,
    cancellation      text,
    run_origin        text        NOT NULL,
    dialect           text        NOT NULL,
    context_id        text        NOT NULL,
    task_id           text        NOT NULL,
    task_state        text        NOT NULL,
    decision_count    integer     NOT NULL,
    tool_calls        integer     NOT NULL,
    lease_owner       text,
    fence             integer     NOT NULL,
    resting_since     timestamptz,
    started_at        timestamptz,
    phase_started_at  timestamptz,
    created_at        timestamptz NOT NULL,
    updated_at        timestamptz NOT NULL,
    ended_at          timestamptz
  )`;

const PARTS = [
  `CREATE TABLE plan_snapshot (
    plan_id text NOT NULL CONSTRAINT plan_snapshot_pkey PRIMARY KEY
      CONSTRAINT plan_snapshot_plan REFERENCES plan (id) ON DELETE CASCADE,
    content text NOT NULL
  )`,
  `CREATE TABLE plan_reference (
    plan_id text NOT NULL CONSTRAINT plan_reference_plan REFERENCES plan (id) ON DELETE CASCADE,
    kind    text NOT NULL,
    name    text NOT NULL,
    CONSTRAINT plan_reference_pkey PRIMARY KEY (plan_id, kind, name)
  )`,
  `CREATE TABLE plan_task (
    task_id text    NOT NULL CONSTRAINT plan_task_pkey PRIMARY KEY,
    plan_id text    NOT NULL CONSTRAINT plan_task_plan_fk REFERENCES plan (id) ON DELETE CASCADE,
    ordinal integer NOT NULL
  )`,
  `CREATE TABLE plan_decision (
    id            text        NOT NULL CONSTRAINT plan_decision_pkey PRIMARY KEY,
    plan_id       text        NOT NULL CONSTRAINT plan_decision_plan REFERENCES plan (id) ON DELETE CASCADE,
    parent_id     text,
    sequence      integer     NOT NULL,
    phase         text        NOT NULL,
    attempt       integer     NOT NULL,
    type          text        NOT NULL,
    content       text        NOT NULL,
    child_plan_id text,
    is_superseded boolean     NOT NULL,
    superseded_by text,
    corrects      text,
    actor         text        NOT NULL,
    created_at    timestamptz NOT NULL
  )`,
  `CREATE TABLE plan_step (
    plan_id     text        NOT NULL CONSTRAINT plan_step_plan REFERENCES plan (id) ON DELETE CASCADE,
    target      integer     NOT NULL,
    step_id     text        NOT NULL,
    ordinal     integer     NOT NULL,
    status      text        NOT NULL,
    tool        text        NOT NULL,
    is_approved boolean     NOT NULL,
    output      text,
    ended_at    timestamptz,
    CONSTRAINT plan_step_pkey PRIMARY KEY (plan_id, target, step_id)
  )`,
  `CREATE TABLE plan_checkpoint (
    id         text        NOT NULL CONSTRAINT plan_checkpoint_pkey PRIMARY KEY,
    plan_id    text        NOT NULL CONSTRAINT plan_checkpoint_plan REFERENCES plan (id) ON DELETE CASCADE,
    ordinal    integer     NOT NULL,
    target     integer     NOT NULL,
    phase      text        NOT NULL,
    step_id    text,
    tool       text,
    reason     text        NOT NULL,
    commit_id  text        NOT NULL,
    created_at timestamptz NOT NULL
  )`,
  `CREATE TABLE plan_validation_result (
    plan_id     text        NOT NULL CONSTRAINT plan_validation_result_plan REFERENCES plan (id) ON DELETE CASCADE,
    ordinal     integer     NOT NULL,
    validation  text        NOT NULL,
    mode        text        NOT NULL,
    passed      boolean     NOT NULL,
    report      text        NOT NULL,
    duration_ms integer     NOT NULL,
    created_at  timestamptz NOT NULL,
    CONSTRAINT plan_validation_result_pkey PRIMARY KEY (plan_id, ordinal)
  )`,
];
