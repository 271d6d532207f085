import type { FieldProblem } from '@cleveragents/kernel';

/**
 * The first text that holds U+0000, or null. Neither PostgreSQL's text nor a command line can carry that character:
 * parameters of the platform's own methods with it are refused (messages of A2A are stored as escaped text instead).
 */
export function nulProblem(value: unknown, path = ''): FieldProblem | null {
  if (typeof value === 'string') return value.includes('\0') ? { path, message: 'must not contain U+0000' } : null;
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, member] of Object.entries(value)) {
    const at = path === '' ? name : `${path}.${name}`;
    if (name.includes('\0'))
      return { path: path === '' ? 'params' : path, message: 'must not contain U+0000 in a name' };
    const problem = nulProblem(member, at);
    if (problem !== null) return problem;
  }
  return null;
}
