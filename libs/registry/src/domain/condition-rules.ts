import { type FieldProblem, isJsonObject, type JsonValue } from '@cleveragents/kernel';
import { patternProblem } from './pattern.js';

const FORMS = ['exists', 'equals', 'matches', 'not', 'all', 'any'];
const MAX_DEPTH = 16;

/** Checks the form of a `when`: exactly one known question, with operands of the right shape, at every depth. */
export function conditionProblems(value: JsonValue | undefined, path: string, depth = 1): FieldProblem[] {
  if (depth > MAX_DEPTH) return [{ path, message: `is nested more than ${MAX_DEPTH} deep` }];
  const [form, ...others] = isJsonObject(value) ? Object.keys(value) : [];
  if (!isJsonObject(value) || form === undefined || others.length > 0 || !FORMS.includes(form)) {
    return [{ path, message: `must have exactly one of the keys ${FORMS.join(', ')}` }];
  }
  return operandProblems(form, value[form], `${path}.${form}`, depth);
}

function operandProblems(form: string, operand: JsonValue | undefined, path: string, depth: number): FieldProblem[] {
  if (form === 'not') return conditionProblems(operand, path, depth + 1);
  if (form === 'exists') return pathProblems(operand, path);
  if (form === 'equals') return pairProblems(operand, path);
  if (form === 'matches') return matchProblems(operand, path);
  if (!Array.isArray(operand) || operand.length === 0) {
    return [{ path, message: 'must be a list of at least one condition' }];
  }
  return operand.flatMap((item, index) => conditionProblems(item, `${path}.${index}`, depth + 1));
}

function pathProblems(operand: JsonValue | undefined, path: string): FieldProblem[] {
  return typeof operand === 'string' && operand !== '' ? [] : [{ path, message: 'must be a path' }];
}

function pairProblems(operand: JsonValue | undefined, path: string): FieldProblem[] {
  return Array.isArray(operand) && operand.length === 2 ? [] : [{ path, message: 'must be a list of two values' }];
}

function matchProblems(operand: JsonValue | undefined, path: string): FieldProblem[] {
  if (!isJsonObject(operand)) return [{ path, message: 'must have the keys value and pattern' }];
  const { value, pattern, ...others } = operand;
  if (typeof value !== 'string' || typeof pattern !== 'string' || Object.keys(others).length > 0) {
    return [{ path, message: 'must have the keys value and pattern, both text, and no other' }];
  }
  const problem = patternProblem(pattern);
  return problem === null ? [] : [{ path: `${path}.pattern`, message: problem }];
}
