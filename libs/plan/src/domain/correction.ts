import {
  ValidationError,
  isJsonObject,
  type FieldProblem,
  type JsonObject,
  type JsonValue,
} from '@cleveragents/kernel';

export const CORRECTION_MODES = ['revert', 'append'] as const;
export type CorrectionMode = (typeof CORRECTION_MODES)[number];

/** What is done with a step instead: other inputs in place of its own of the same names, or nothing. */
export type StepCorrection = 'skip' | { readonly inputs: JsonObject };

/** What a person wants otherwise. */
export interface Correction {
  readonly mode: CorrectionMode;
  readonly guidance: string | null;
  /** Index of an alternative, from 1. */
  readonly choose: number | null;
  /** Replaces arguments of the same names. */
  readonly arguments: JsonObject | null;
  /** By the ids of steps. */
  readonly steps: Readonly<Record<string, StepCorrection>> | null;
  readonly isDryRun: boolean;
}

const LONGEST_GUIDANCE = 8000;
const KEYS: ReadonlySet<string> = new Set(['mode', 'guidance', 'choose', 'arguments', 'steps', 'dry_run']);

/** A plain text is guidance that supersedes nothing: the harmless kind. All problems are named at once. */
export function readCorrection(value: unknown): Correction {
  if (typeof value === 'string') return readCorrection({ mode: 'append', guidance: value });
  if (!isJsonObject(value)) throw ValidationError.of('correction', 'must be an object or a text');
  const problems = problemsOf(value);
  if (problems.length > 0) throw new ValidationError(problems);
  const { mode, guidance, choose, arguments: patch, steps, dry_run } = value;
  return {
    mode: mode as CorrectionMode,
    guidance: typeof guidance === 'string' ? guidance : null,
    choose: typeof choose === 'number' ? choose : null,
    arguments: isJsonObject(patch) ? patch : null,
    steps: isJsonObject(steps) ? stepCorrections(steps) : null,
    isDryRun: dry_run === true,
  };
}

function problemsOf(value: JsonObject): FieldProblem[] {
  const { mode, guidance, choose, arguments: patch, steps, dry_run } = value;
  const wishes = [guidance, choose, patch, steps];
  const checks: [string, boolean, string][] = [
    ['mode', CORRECTION_MODES.some((known) => known === mode), `must be one of ${CORRECTION_MODES.join(', ')}`],
    ['guidance', isAbsentOr(guidance, isGuidance), `must be a text of 1 to ${LONGEST_GUIDANCE} characters`],
    ['choose', isAbsentOr(choose, isIndex), 'must be the index of an alternative, from 1'],
    ['arguments', isAbsentOr(patch, isJsonObject), 'must be an object'],
    ['steps', isAbsentOr(steps, isSteps), 'must name steps, each with "skip" or {"inputs": {…}}'],
    ['dry_run', isAbsentOr(dry_run, (flag) => typeof flag === 'boolean'), 'must be true or false'],
  ];
  const unknown = Object.keys(value).filter((key) => !KEYS.has(key));
  return [
    ...checks.flatMap(([path, isGood, message]) => (isGood ? [] : [{ path: `correction.${path}`, message }])),
    ...unknown.map((key) => ({ path: `correction.${key}`, message: 'is not known' })),
    ...(wishes.every((wish) => wish === undefined) ? [NO_WISH] : []),
    ...(mode === 'append' ? appendProblems(value) : []),
  ];
}

const NO_WISH = { path: 'correction', message: 'must have guidance, choose, arguments or steps' };

/** What is added supersedes nothing, so it cannot change what was decided. */
function appendProblems(value: JsonObject): FieldProblem[] {
  return ['choose', 'arguments', 'steps']
    .filter((key) => value[key] !== undefined)
    .map((key) => ({ path: `correction.${key}`, message: 'needs mode revert' }));
}

function isAbsentOr(value: JsonValue | undefined, isGood: (value: JsonValue) => boolean): boolean {
  return value === undefined || isGood(value);
}

function isGuidance(value: JsonValue): boolean {
  return typeof value === 'string' && value.trim() !== '' && value.length <= LONGEST_GUIDANCE;
}

function isIndex(value: JsonValue): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1;
}

function isSteps(value: JsonValue): boolean {
  return isJsonObject(value) && Object.keys(value).length > 0 && Object.values(value).every(isStepCorrection);
}

function isStepCorrection(value: JsonValue | undefined): boolean {
  if (value === 'skip') return true;
  return isJsonObject(value) && isJsonObject(value['inputs']) && Object.keys(value).length === 1;
}

function stepCorrections(steps: JsonObject): Record<string, StepCorrection> {
  const entries = Object.entries(steps).map(([id, value]) => [id, stepCorrection(value)] as const);
  return Object.fromEntries(entries);
}

function stepCorrection(value: JsonValue | undefined): StepCorrection {
  return isJsonObject(value) && isJsonObject(value['inputs']) ? { inputs: value['inputs'] } : 'skip';
}
