import { isWellFormed, type FieldProblem } from '@cleveragents/kernel';

/**
 * What is wrong with the first text that PostgreSQL cannot keep, or null. Neither its text nor a command line carries
 * U+0000, and its jsonb no half of a surrogate pair: parameters of the platform's own methods with one are refused
 * (messages of A2A are stored as escaped text instead).
 */
export function storableTextProblem(value: unknown, path = ''): FieldProblem | null {
  if (typeof value === 'string') return problemOf(value, path, '');
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, member] of Object.entries(value)) {
    const problem =
      problemOf(name, path === '' ? 'params' : path, ' in a name') ??
      storableTextProblem(member, path === '' ? name : `${path}.${name}`);
    if (problem !== null) return problem;
  }
  return null;
}

function problemOf(text: string, path: string, where: string): FieldProblem | null {
  if (text.includes('\0')) return { path, message: `must not contain U+0000${where}` };
  return isWellFormed(text) ? null : { path, message: `must be well-formed Unicode${where}` };
}
