import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import type { AppConfig } from './app-config.js';
import { readConfig } from './read-config.js';

/** The configuration of this process: its environment, over a `.env` file of the working directory if there is one. */
export function loadConfig(): AppConfig {
  const workingDirectory = process.cwd();
  return readConfig({
    variables: { ...envFile(join(workingDirectory, '.env')), ...process.env },
    workingDirectory,
    isTerminal: process.stdout.isTTY === true,
  });
}

function envFile(path: string): Record<string, string | undefined> {
  try {
    return parseEnv(readFileSync(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}
