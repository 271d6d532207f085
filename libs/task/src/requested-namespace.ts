import {
  isNameSegment,
  NAME_SEGMENT_RULE,
  ValidationError,
  type JsonObject,
  type Principal,
} from '@cleveragents/kernel';

interface NamespaceParams {
  readonly tenant?: string;
  readonly metadata?: JsonObject;
}

/**
 * The namespace that a request names by 1.0 `tenant` or by `metadata.namespace`, in lower case; null = it names none. The
 * caller's own one is taken as it is: an identity provider may have given it a form that nothing else has.
 */
export function requestedNamespace({ tenant, metadata }: NamespaceParams, principal: Principal): string | null {
  // An empty tenant is an absent one in the JSON form of protocol buffers.
  if (tenant !== undefined && tenant !== '') return namespaceOf('tenant', tenant, principal);
  const named = metadata?.namespace;
  return named === undefined || named === null ? null : namespaceOf('metadata.namespace', named, principal);
}

function namespaceOf(path: string, named: unknown, { personalNamespace }: Principal): string {
  if (typeof named !== 'string') throw ValidationError.of(path, 'must be a string');
  if (named === personalNamespace) return named;
  const namespace = named.toLowerCase();
  if (!isNameSegment(namespace)) throw ValidationError.of(path, `is no namespace: one ${NAME_SEGMENT_RULE}`);
  return namespace;
}
