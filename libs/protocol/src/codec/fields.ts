import { ValidationError, canonicalJson, type JsonObject, type JsonValue } from '@cleveragents/kernel';

/** In the JSON form of protocol buffers, which A2A 1.0 is, null means unset. */
export function isSet(value: JsonValue | undefined): value is Exclude<JsonValue, null> {
  return value !== undefined && value !== null;
}

/** Copies the named members that are set. */
export function pick(source: JsonObject, names: readonly string[]): JsonObject {
  const picked: JsonObject = {};
  for (const name of names) {
    const value = source[name];
    if (isSet(value)) picked[name] = value;
  }
  return picked;
}

/** One value that two generations spell differently: whichever is set, and it must be the same if both are. */
export function either(
  path: string,
  first: JsonValue | undefined,
  second: JsonValue | undefined,
): JsonValue | undefined {
  if (!isSet(first)) return isSet(second) ? second : undefined;
  if (!isSet(second) || canonicalJson(first) === canonicalJson(second)) return first;
  throw ValidationError.of(path, 'is given in two spellings that contradict each other');
}

/** Sets the member unless there is nothing to set. */
export function assign(target: JsonObject, name: string, value: JsonValue | undefined): void {
  if (isSet(value)) target[name] = value;
}

/** Protocol buffers know no difference between an empty string and an unset one. */
export function dropEmpty(target: JsonObject, names: readonly string[]): void {
  for (const name of names) if (target[name] === '') delete target[name];
}
