import { type FieldProblem, isJsonObject, type JsonValue } from '@cleveragents/kernel';

/** Field names that hold credentials; `secret_ref` names a secret without holding it. */
const CREDENTIAL =
  /(?:^|[_-])(?:password|passwd|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credentials?|authorization)$/;
const ONLY_A_TEMPLATE = /^\{\{[^{}]*\}\}$/;

/** Every credential that a document holds in clear text: it would be stored, versioned, shown and synchronised. */
export function inlineSecretProblems(value: JsonValue | undefined, path = ''): FieldProblem[] {
  if (Array.isArray(value))
    return value.flatMap((item, index) => inlineSecretProblems(item, join(path, String(index))));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    isInlineSecret(key, member)
      ? [{ path: join(path, key), message: 'must not hold a credential; name one with secret_ref' }]
      : inlineSecretProblems(member, join(path, key)),
  );
}

function isInlineSecret(key: string, value: JsonValue | undefined): boolean {
  const words = key.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();
  return CREDENTIAL.test(words) && typeof value === 'string' && value !== '' && !ONLY_A_TEMPLATE.test(value);
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}
