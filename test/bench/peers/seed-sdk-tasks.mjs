import { withSession } from '../database.mjs';

const INSERT = `
  INSERT INTO tasks
  SELECT '', 'unknown', gen_random_uuid()::text, '00000000-0000-4000-8000-' || lpad((n % 100)::text, 12, '0'), at, state,
         json_build_object('state', state, 'timestamp',
           to_char(to_timestamp(at / 1000.0) AT TIME ZONE 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text,
         '[{"artifactId":"a1","name":"result","parts":[{"text":"echo:seed","mediaType":"text/plain"}]}]',
         '[{"messageId":"m-' || n || '","contextId":"c","taskId":"t","role":"ROLE_USER","parts":[{"text":"echo:seed"}]}]',
         NULL, '1.0'
    FROM (SELECT n, 1764500000000 + n * 7 AS at,
                 CASE WHEN n % 10 = 9 THEN 'TASK_STATE_INPUT_REQUIRED' ELSE 'TASK_STATE_COMPLETED' END AS state
            FROM generate_series(1::bigint, $1::bigint) AS n) AS numbered`;

/** Fills the SDK's own table: through its API, at six statements a task, a hundred thousand would take minutes. */
export async function seedSdkTasks(url, count) {
  await withSession(url, async (session) => {
    await session.query(INSERT, [count]);
    await session.query('ANALYZE tasks');
  });
}
