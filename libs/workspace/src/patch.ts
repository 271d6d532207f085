import parseDiff from 'parse-diff';
import type { DiffHunk, FilePatch } from './change-set.js';
import type { RawChange } from './git-output.js';

const NO_FINAL_NEWLINE = '\\ No newline at end of file';

/**
 * Hunks per file. The names come from the raw records, which stand in the same order: in a patch git quotes unusual
 * names. A change of type is printed as a deletion and a creation. Files that a cut patch does not reach have no entry.
 */
export function filePatches(patch: string, changes: readonly RawChange[]): FilePatch[] {
  const sections = parseDiff(patch);
  const patches: FilePatch[] = [];
  let next = 0;
  for (const { path, isTypeChange } of changes) {
    const own = sections.slice(next, next + (isTypeChange ? 2 : 1));
    next += isTypeChange ? 2 : 1;
    if (own.length > 0) patches.push({ file: path, hunks: own.flatMap(({ chunks }) => chunks.map(toHunk)) });
  }
  return patches;
}

function toHunk({ content, changes }: parseDiff.Chunk): DiffHunk {
  const textOf = (type: parseDiff.ChangeType): string[] =>
    changes
      .filter((change) => change.type === type && change.content !== NO_FINAL_NEWLINE)
      .map((change) => change.content.slice(1));
  return {
    range: content,
    lines: changes.map((change) => change.content),
    insertions: textOf('add'),
    deletions: textOf('del'),
  };
}
