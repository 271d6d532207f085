import type { FieldProblem } from '@cleveragents/kernel';

/** One problem per value that stood earlier in the list; `pathOf` gives the place of an index. */
export function repeatProblems(values: readonly string[], pathOf: (index: number) => string): FieldProblem[] {
  const seen = new Set<string>();
  return values.flatMap((value, index) => {
    if (!seen.has(value)) {
      seen.add(value);
      return [];
    }
    return [{ path: pathOf(index), message: `repeats "${value}"` }];
  });
}
