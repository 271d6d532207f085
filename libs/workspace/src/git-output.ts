import type { ChangeStatus } from './change-set.js';

/** Parsers of git's plumbing output in its `-z` form, where names need no quoting. */

export interface RawChange {
  readonly path: string;
  readonly oldPath: string | null;
  readonly status: ChangeStatus;
  /** A file became a link or the like: git prints it as two patches. */
  readonly isTypeChange: boolean;
  readonly oldMode: string;
  readonly oldObject: string;
  readonly newMode: string;
  readonly newObject: string;
}

export interface LineCount {
  readonly insertions: number;
  readonly deletions: number;
  readonly isBinary: boolean;
}

const SUBMODULE_MODE = '160000';

/** `git diff-tree --raw --numstat -z`: all raw records, then the counts in the same order. */
export function parseRawAndNumstat(output: Buffer): { changes: RawChange[]; counts: LineCount[] } {
  const fields = new FieldReader(splitNul(output));
  const changes: RawChange[] = [];
  const counts: LineCount[] = [];
  for (let field = fields.next(); field !== undefined; field = fields.next()) {
    if (field.startsWith(':')) changes.push(readRaw(field, fields));
    else counts.push(readNumstat(field, fields));
  }
  return { changes, counts };
}

/** `git diff-tree --raw -z`. */
export function parseRawChanges(output: Buffer): RawChange[] {
  return parseRawAndNumstat(output).changes;
}

export function isSubmodule(change: RawChange): boolean {
  return change.newMode === SUBMODULE_MODE;
}

const STATUS_BY_LETTER: Readonly<Record<string, ChangeStatus>> = { A: 'added', D: 'deleted', R: 'renamed' };

function readRaw(header: string, fields: FieldReader): RawChange {
  const [oldMode = '', newMode = '', oldObject = '', newObject = '', letters = ''] = header.slice(1).split(' ');
  const letter = letters.charAt(0);
  const first = fields.required();
  const isRename = letter === 'R';
  return {
    path: isRename ? fields.required() : first,
    oldPath: isRename ? first : null,
    status: STATUS_BY_LETTER[letter] ?? 'modified',
    isTypeChange: letter === 'T',
    oldMode,
    oldObject,
    newMode,
    newObject,
  };
}

/** `1\t2\tname`, or `1\t2\t` followed by the old and the new name; `-` counts mark a binary file. */
function readNumstat(field: string, fields: FieldReader): LineCount {
  const [insertions = '', deletions = '', ...name] = field.split('\t');
  if (name.join('\t') === '') {
    fields.required();
    fields.required();
  }
  const isBinary = insertions === '-';
  return { insertions: isBinary ? 0 : Number(insertions), deletions: isBinary ? 0 : Number(deletions), isBinary };
}

/** `git diff-tree --name-status --no-renames -z`. */
export function parseNameStatus(output: Buffer): { path: string; letter: string }[] {
  const fields = splitNul(output);
  const entries: { path: string; letter: string }[] = [];
  for (let index = 0; index + 1 < fields.length; index += 2) {
    entries.push({ letter: fields[index] ?? '', path: fields[index + 1] ?? '' });
  }
  return entries;
}

/** `git merge-tree --write-tree --name-only -z`: tree, conflicting paths, an empty field, then messages. */
export function parseMergeTree(output: Buffer): { tree: string; conflicts: string[] } {
  const [tree = '', ...rest] = output.toString('utf8').split('\0');
  const end = rest.indexOf('');
  return { tree, conflicts: [...new Set(end === -1 ? rest : rest.slice(0, end))] };
}

export interface WorkTreeEntry {
  readonly path: string;
  /** Full ref name; null when detached or bare. */
  readonly branch: string | null;
  readonly isBare: boolean;
}

/** `git worktree list --porcelain -z`: attributes end with NUL, records with an empty attribute. */
export function parseWorkTrees(output: Buffer): WorkTreeEntry[] {
  return output
    .toString('utf8')
    .split('\0\0')
    .filter((record) => record !== '')
    .map((record) => {
      const attributes = new Map(record.split('\0').map(splitAttribute));
      return {
        path: attributes.get('worktree') ?? '',
        branch: attributes.get('branch') ?? null,
        isBare: attributes.has('bare'),
      };
    });
}

function splitAttribute(line: string): [string, string] {
  const blank = line.indexOf(' ');
  return blank === -1 ? [line, ''] : [line.slice(0, blank), line.slice(blank + 1)];
}

/** Paths of `git status --porcelain=v1 -z --no-renames`. */
export function parseStatusPaths(output: Buffer): string[] {
  return splitNul(output).map((entry) => entry.slice(3));
}

/** Non-empty fields of NUL-terminated output. */
export function splitNul(output: Buffer): string[] {
  return output
    .toString('utf8')
    .split('\0')
    .filter((field) => field !== '');
}

class FieldReader {
  private position = 0;

  constructor(private readonly fields: readonly string[]) {}

  next(): string | undefined {
    return this.fields[this.position++];
  }

  required(): string {
    const field = this.next();
    if (field === undefined) throw new Error('git printed fewer fields than its format promises');
    return field;
  }
}
