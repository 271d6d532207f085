import type { FieldProblem } from '@cleveragents/kernel';
import type { ActorType } from './actor-spec.js';

/** Which fields mean something for which type; the others would be kept and never read. */
const FIELDS: Readonly<Record<ActorType, readonly string[]>> = {
  tool: ['strategies', 'steps'],
  llm: ['provider', 'model', 'actor', 'options', 'system_prompt', 'skills', 'tools'],
  graph: ['graph', 'skills', 'tools'],
  a2a: [
    'card_url',
    'card',
    'auth',
    'allowed_skills',
    'allowed_callers',
    'signature',
    'timeout_s',
    'working_limit_s',
    'stream',
    'breaker',
  ],
};
const ALL_TYPED = new Set(Object.values(FIELDS).flat());

export interface ActorFields {
  readonly type: ActorType;
  readonly provider?: string;
  readonly model?: string;
  /** `provider/model`. */
  readonly actor?: string;
  readonly steps?: readonly unknown[];
  readonly graph?: object;
  readonly card_url?: string;
  readonly card?: object;
}

/** Fields of another type are refused, and those that the type cannot do without are demanded. */
export function actorFieldProblems(fields: ActorFields): FieldProblem[] {
  const own = new Set(FIELDS[fields.type]);
  const foreign = Object.keys(fields).filter((key) => ALL_TYPED.has(key) && !own.has(key));
  return [
    ...foreign.map((path) => ({ path, message: `is not a field of an actor of type ${fields.type}` })),
    ...missingProblems(fields),
  ];
}

function missingProblems(fields: ActorFields): FieldProblem[] {
  switch (fields.type) {
    case 'tool':
      return fields.steps === undefined ? [required('steps')] : [];
    case 'graph':
      return fields.graph === undefined ? [required('graph')] : [];
    case 'a2a':
      return fields.card_url === undefined && fields.card === undefined ? [required('card_url')] : [];
    case 'llm':
      return modelProblems(fields);
  }
}

function modelProblems({ actor, provider, model }: ActorFields): FieldProblem[] {
  if (actor !== undefined) {
    const isTwofold = provider !== undefined || model !== undefined;
    return isTwofold ? [{ path: 'actor', message: 'says provider and model already; give one or the other' }] : [];
  }
  return [
    ...(provider === undefined ? [required('provider')] : []),
    ...(model === undefined ? [required('model')] : []),
  ];
}

function required(path: string): FieldProblem {
  return { path, message: 'is required' };
}
