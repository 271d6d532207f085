import { PlanError, canonicalJson, type JsonObject, type JsonValue } from '@cleveragents/kernel';
import type { Condition } from '@cleveragents/registry';
import { render } from './template.js';

/** What a condition may ask about the place where it is tested. */
export interface Place {
  /** Whether a path exists there. */
  exists(path: string): Promise<boolean>;
}

/** Tests a `when`. Values and paths may be templates; nothing is evaluated as code. */
export async function holds(when: Condition, place: Place, scope: JsonObject): Promise<boolean> {
  if ('exists' in when) return place.exists(asText(render(when.exists, scope)));
  if ('equals' in when) return areEqual(render(when.equals[0], scope), render(when.equals[1], scope));
  if ('matches' in when) return patternOf(when.matches.pattern).test(asText(render(when.matches.value, scope)));
  if ('not' in when) return !(await holds(when.not, place, scope));
  if ('all' in when) return allHold(when.all, place, scope);
  return anyHolds(when.any, place, scope);
}

async function allHold(conditions: readonly Condition[], place: Place, scope: JsonObject): Promise<boolean> {
  for (const condition of conditions) if (!(await holds(condition, place, scope))) return false;
  return true;
}

async function anyHolds(conditions: readonly Condition[], place: Place, scope: JsonObject): Promise<boolean> {
  for (const condition of conditions) if (await holds(condition, place, scope)) return true;
  return false;
}

function areEqual(left: JsonValue, right: JsonValue): boolean {
  return canonicalJson(left) === canonicalJson(right);
}

function asText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function patternOf(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u');
  } catch (cause) {
    throw new PlanError(`A condition has a bad pattern: ${pattern}`, { pattern }, { reason: 'BAD_CONDITION', cause });
  }
}
