import pg from 'pg';

const LANES = 2;
const BATCH = 500;

const TABLES = `
  CREATE TABLE IF NOT EXISTS ev(id bigserial PRIMARY KEY, task text NOT NULL, seq int NOT NULL, doc text NOT NULL);
  CREATE TABLE IF NOT EXISTS task(id text PRIMARY KEY, ctx text NOT NULL, state text NOT NULL, doc text NOT NULL,
    at timestamptz NOT NULL DEFAULT now());
  CREATE TABLE IF NOT EXISTS audit(id bigserial PRIMARY KEY, who text, what text, task text,
    at timestamptz NOT NULL DEFAULT now())`;

const WRITE = `
  WITH r AS (SELECT * FROM unnest($1::text[], $2::text[], $3::int[], $4::text[], $5::text[]) AS t(id, ctx, seq, state, doc)),
    a AS (INSERT INTO ev(task, seq, doc) SELECT id, seq, doc FROM r),
    b AS (INSERT INTO audit(who, what, task) SELECT 'u1', 'send', id FROM r WHERE seq <= 0)
  INSERT INTO task(id, ctx, state, doc) SELECT id, ctx, state, doc FROM r WHERE seq <= 0
  ON CONFLICT (id) DO UPDATE SET state = excluded.state, doc = excluded.doc`;

/**
 * Answers a function that stores one event and resolves once it is committed. What waits while the lanes are busy is
 * written by the next statement, all at once.
 */
export async function openGroupCommit(connectionString) {
  const pool = new pg.Pool({ connectionString, max: LANES + 1 });
  await pool.query(TABLES);
  const waiting = [];
  let busyLanes = 0;
  let isScheduled = false;

  const flush = () => {
    if (busyLanes >= LANES || waiting.length === 0) return;
    const batch = waiting.splice(0, BATCH);
    const column = (index) => batch.map(({ row }) => row[index]);
    busyLanes += 1;
    void pool
      .query({ name: 'write', text: WRITE, values: [0, 1, 2, 3, 4].map(column) })
      .then(
        () => batch.forEach(({ resolve }) => resolve()),
        (error) => batch.forEach(({ reject }) => reject(error)),
      )
      .finally(() => {
        busyLanes -= 1;
        flush();
      });
  };

  const schedule = () => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      flush();
    });
  };

  return ({ id, contextId, status }, sequence, document) =>
    new Promise((resolve, reject) => {
      waiting.push({ row: [id, contextId, sequence, status.state, document], resolve, reject });
      schedule();
    });
}
