import { ValidationError } from '@cleveragents/kernel';
import type { Phase } from './plan-state.js';

export type GatePosition = 'auto' | 'ask';

/** The rules of an automation profile, as they were when the plan was made. */
export interface ProfileRules {
  readonly thresholds: Readonly<Record<string, number>>;
  readonly phase_gates: Readonly<Record<Phase, GatePosition>>;
  readonly flags: { readonly allow_unsafe_tools: boolean };
  readonly guards: { readonly tool_denylist: readonly string[]; readonly max_tool_calls?: number };
  /** Nobody is there to answer. */
  readonly unattended: boolean;
}

export type ProfileSource = 'param' | 'action' | 'project' | 'default';

export interface ProfileChoice {
  readonly name: string;
  readonly source: ProfileSource;
}

export const DEFAULT_PROFILE = 'supervised';

export interface ProfileCandidates {
  readonly param?: string;
  readonly action?: string;
  /** In the order of the plan's projects. */
  readonly projects: readonly (string | undefined)[];
}

/** Which profile governs a plan: the call's, else the action's, else the projects', else the default. */
export function chooseProfile(candidates: ProfileCandidates): ProfileChoice {
  if (candidates.param !== undefined) return { name: candidates.param, source: 'param' };
  if (candidates.action !== undefined) return { name: candidates.action, source: 'action' };
  const named = new Set(candidates.projects.filter((name) => name !== undefined));
  // No order between projects is right: the wrong pick would let a plan go further in one of them than its team allows.
  if (named.size > 1) throw ambiguousProfile([...named]);
  const [name] = named;
  return name === undefined ? { name: DEFAULT_PROFILE, source: 'default' } : { name, source: 'project' };
}

function ambiguousProfile(names: readonly string[]): ValidationError {
  const message = `must be given: the projects name different profiles (${names.join(', ')})`;
  return ValidationError.of('automation_profile', message, 'AMBIGUOUS_PROFILE');
}

/** Gates that a person has already opened, or asked to have shut, for the present attempt. */
export type GateOverrides = Readonly<Partial<Record<Phase, GatePosition>>>;

export function isGateOpen(rules: ProfileRules, overrides: GateOverrides, phase: Phase): boolean {
  return (overrides[phase] ?? rules.phase_gates[phase]) === 'auto';
}

/** A tool call as the gates see it. */
export interface GatedCall {
  readonly tool: string;
  readonly isUnsafe: boolean;
  readonly confidence: number;
  /** Names of the thresholds that the call touches. */
  readonly gates: readonly string[];
}

export type Verdict = { readonly kind: 'run' | 'ask' } | { readonly kind: 'refuse'; readonly why: string };

/** A call that touches several thresholds obeys the strictest. Where nobody can be asked, asking is refusing. */
export function judgeCall(rules: ProfileRules, call: GatedCall, callsSoFar: number): Verdict {
  if (rules.guards.tool_denylist.includes(call.tool)) return refuse('the automation profile denies this tool');
  if (call.isUnsafe && !rules.flags.allow_unsafe_tools) return refuse('the automation profile allows no unsafe tool');
  const limit = rules.guards.max_tool_calls;
  if (limit !== undefined && callsSoFar >= limit) return refuse(`the limit of ${limit} tool calls is reached`);
  const shut = call.gates.filter((gate) => !passes(call.confidence, rules.thresholds[gate] ?? 1));
  if (shut.length === 0) return { kind: 'run' };
  return rules.unattended ? refuse(`nobody is there to approve: ${shut.join(', ')}`) : { kind: 'ask' };
}

/** A threshold of 1 always asks, also what is certain. */
export function passes(confidence: number, threshold: number): boolean {
  return confidence >= threshold && threshold < 1;
}

function refuse(why: string): Verdict {
  return { kind: 'refuse', why };
}
