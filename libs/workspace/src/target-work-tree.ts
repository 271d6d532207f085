import { lstat, mkdtemp, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Git, GitPlace } from './git.js';
import { parseRawChanges, parseStatusPaths, splitNul, type RawChange } from './git-output.js';

/** Operations that move the head of a work tree when they end; git keeps these files while one is under way. */
const OPERATION_MARKS = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'rebase-merge', 'rebase-apply'];

/** The work tree of a user that has the target branch checked out, seen from one update `from` → `to`. */
export class TargetWorkTree {
  private constructor(
    private readonly git: Git,
    readonly place: GitPlace,
    private readonly ends: readonly [from: string, to: string],
    private readonly changes: readonly RawChange[],
  ) {}

  static async at(git: Git, place: GitPlace, from: string, to: string): Promise<TargetWorkTree> {
    return new TargetWorkTree(git, place, [from, to], await rawChanges(git, place, from, to));
  }

  /** Names that are not UTF-8 were damaged when they were read. */
  hasUnreadableName(): boolean {
    return this.changes.some(({ path }) => path.includes('\u{fffd}'));
  }

  /** A merge, rebase or the like of the user waits to be ended. */
  async hasOperationUnderWay(): Promise<boolean> {
    const gitDir = await this.git.text(this.place, ['rev-parse', '--absolute-git-dir']);
    const marks = await Promise.all(OPERATION_MARKS.map((mark) => entryAt(join(gitDir, mark))));
    return marks.some((mark) => mark !== null);
  }

  /** Every path of the update that the user has changed, or where an untracked file is in the way. Sorted. */
  async dirtyPaths(): Promise<string[]> {
    const status = ['status', '--porcelain=v1', '-z', '--no-renames', '--untracked-files=no'];
    const changedByUser = new Set(parseStatusPaths((await this.git.run(this.place, status)).stdout));
    const dirty = this.changes.filter(({ path }) => changedByUser.has(path)).map(({ path }) => path);
    for (const change of this.changes) {
      if (isAdded(change) && (await this.isBlocked(change.path))) dirty.push(change.path);
    }
    return [...new Set(dirty)].sort();
  }

  /** Whether git, too, finds nothing in the way. Nothing is written but the index, refreshed. */
  async canBringAlong(): Promise<boolean> {
    // Without it a file that was only touched counts as changed.
    await this.refreshIndex();
    const trial = ['read-tree', '-n', '-m', '-u', ...this.ends];
    return (await this.git.run(this.place, trial, { accept: [0, 1, 128] })).exitCode === 0;
  }

  /** Files and index go from `from` to `to`. A failure may leave some of the files changed. */
  async bringAlong(): Promise<void> {
    await this.git.run(this.place, ['read-tree', '-m', '-u', ...this.ends]);
  }

  /** Puts every touched path back to `from`, however far `bringAlong` came: `canBringAlong` found them all clean. */
  async restore(): Promise<void> {
    await this.putBack(this.changes);
  }

  /**
   * The same after a crash, when the user may have been at work since: only what is exactly as `bringAlong` leaves it,
   * or missing, goes back. The rest stays and counts as the user's change.
   */
  async restoreUntouched(): Promise<void> {
    const differing = new Set(await this.unwrittenPaths());
    const states = await Promise.all(
      this.changes.map(async (change) => {
        const isMissing = (await entryAt(join(this.place.cwd, change.path))) === null;
        return { change, isOurs: isMissing || !differing.has(change.path) };
      }),
    );
    await this.putBack(states.filter(({ isOurs }) => isOurs).map(({ change }) => change));
  }

  /** Touched paths whose file is not as in `to`. */
  async unwrittenPaths(): Promise<string[]> {
    const directory = await mkdtemp(join(tmpdir(), 'cleveragents-index-'));
    try {
      const index = { indexFile: join(directory, 'index') };
      const entries = this.changes.filter((change) => !isDeleted(change)).map(newEntry);
      await this.git.run(this.place, ['update-index', '-z', '--index-info'], { ...index, stdin: entries.join('') });
      await this.refreshIndex(index);
      const { stdout } = await this.git.run(this.place, ['diff-files', '--name-only', '-z'], index);
      const undeleted: string[] = [];
      for (const change of this.changes) {
        if (isDeleted(change) && (await entryAt(join(this.place.cwd, change.path))) !== null)
          undeleted.push(change.path);
      }
      return [...new Set([...splitNul(stdout), ...undeleted])].sort();
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }

  private async putBack(changes: readonly RawChange[]): Promise<void> {
    if (changes.length === 0) return;
    const entries = changes.map(oldEntry).join('');
    await this.git.run(this.place, ['update-index', '-z', '--index-info'], { stdin: entries });
    // Finds out what is as before already: a file that could not be written need not be written again.
    await this.refreshIndex();
    for (const { path } of changes.filter(isAdded)) await this.removeAdded(path);
    const paths = changes.filter((change) => !isAdded(change)).map(({ path }) => `${path}\0`);
    await this.git.run(this.place, ['checkout-index', '-f', '-u', '-z', '--stdin'], { stdin: paths.join('') });
  }

  private async refreshIndex(index: { indexFile?: string } = {}): Promise<void> {
    await this.git.run(this.place, ['update-index', '-q', '--refresh'], { ...index, accept: [0, 1] });
  }

  private async removeAdded(path: string): Promise<void> {
    const absolute = join(this.place.cwd, path);
    if ((await entryAt(absolute))?.isDirectory() === true) return;
    await rm(absolute, { force: true });
    // Directories that came with the file go with it; the first that is not empty ends the walk.
    for (let parent = dirname(absolute); parent !== this.place.cwd; parent = dirname(parent)) {
      const isRemoved = await rmdir(parent).then(
        () => true,
        () => false,
      );
      if (!isRemoved) return;
    }
  }

  /** Something that is not part of the update stands at an added path, or where one of its directories must be. */
  private async isBlocked(path: string): Promise<boolean> {
    const leaving = new Set(this.changes.filter(isDeleted).map((change) => change.path));
    const segments = path.split('/');
    for (let depth = 1; depth <= segments.length; depth += 1) {
      const part = segments.slice(0, depth).join('/');
      const entry = await entryAt(join(this.place.cwd, part));
      if (entry === null) return false;
      const isWholePath = depth === segments.length;
      if (isWholePath) return !(entry.isDirectory() && this.holdsOnlyLeaving(part, leaving));
      if (!entry.isDirectory()) return !leaving.has(part);
    }
    return false;
  }

  /** A directory of the old state gives way to a file of the same name. */
  private holdsOnlyLeaving(directory: string, leaving: ReadonlySet<string>): boolean {
    return [...leaving].some((path) => path.startsWith(`${directory}/`));
  }
}

async function rawChanges(git: Git, place: GitPlace, from: string, to: string): Promise<RawChange[]> {
  const args = ['diff-tree', '-r', '--raw', '-z', '--no-renames', '--full-index', from, to, '--'];
  return parseRawChanges((await git.run(place, args)).stdout);
}

function isAdded({ status }: RawChange): boolean {
  return status === 'added';
}

function isDeleted({ status }: RawChange): boolean {
  return status === 'deleted';
}

/** A line for `update-index --index-info`; mode 0 removes the path. */
function oldEntry({ oldMode, oldObject, path, status }: RawChange): string {
  return status === 'added' ? `0 ${oldObject}\t${path}\0` : `${oldMode} ${oldObject}\t${path}\0`;
}

function newEntry({ newMode, newObject, path }: RawChange): string {
  return `${newMode} ${newObject}\t${path}\0`;
}

async function entryAt(path: string): Promise<Awaited<ReturnType<typeof lstat>> | null> {
  return lstat(path).catch(() => null);
}
