import { withSession } from './database.mjs';

/** The tasks of the long list lie in this many contexts; every tenth of each context waits for input. */
export const SEED_CONTEXTS = 100;
const WAITING_SHARE = 10;
const CONTEXT_PREFIX = '00000000-0000-4000-8000-';

/** Context of the task number `index`. */
export function seedContext(index) {
  return `${CONTEXT_PREFIX}${String(index % SEED_CONTEXTS).padStart(12, '0')}`;
}

export function isSeedWaiting(index) {
  return Math.floor(index / SEED_CONTEXTS) % WAITING_SHARE === WAITING_SHARE - 1;
}

const INSERT_SDK_TASKS = `
  INSERT INTO tasks
  SELECT '', 'unknown', gen_random_uuid()::text, '${CONTEXT_PREFIX}' || lpad((n % ${SEED_CONTEXTS})::text, 12, '0'),
         at, state,
         json_build_object('state', state, 'timestamp',
           to_char(to_timestamp(at / 1000.0) AT TIME ZONE 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text,
         '[{"artifactId":"a1","name":"result","parts":[{"text":"echo:seed","mediaType":"text/plain"}]}]',
         '[{"messageId":"m-' || n || '","contextId":"c","taskId":"t","role":"ROLE_USER","parts":[{"text":"echo:seed"}]}]',
         NULL, '1.0'
    FROM (SELECT n, 1764500000000 + n * 7 AS at,
                 CASE WHEN n / ${SEED_CONTEXTS} % ${WAITING_SHARE} = ${WAITING_SHARE - 1}
                      THEN 'TASK_STATE_INPUT_REQUIRED' ELSE 'TASK_STATE_COMPLETED' END AS state
            FROM generate_series(0::bigint, $1::bigint - 1) AS n) AS numbered`;

/** Fills the SDK's own table: through its API, at six statements a task, a hundred thousand would take minutes. */
export async function seedSdkTasks(url, count) {
  await withSession(url, async (session) => {
    await session.query(INSERT_SDK_TASKS, [count]);
    await session.query('ANALYZE tasks');
  });
}
