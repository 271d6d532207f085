import { Client } from 'pg';

/** One session on the database of `url`, closed when `work` is done. */
export async function withSession<T>(url: string, work: (session: Client) => Promise<T>): Promise<T> {
  const session = new Client({ connectionString: url });
  await session.connect();
  try {
    return await work(session);
  } finally {
    await session.end();
  }
}

/** `url` with another database name. */
export function withDatabase(url: string, database: string): string {
  return url.replace(/^([^:]+:\/\/[^/]+)(\/[^?]*)?/, `$1/${database}`);
}
