import { isReservedNamespace } from '@cleveragents/auth';
import { isNameSegment, NAME_SEGMENT_RULE, ValidationError } from '@cleveragents/kernel';

/** Where an entity lives and what it is called there; both parts lower case. */
export interface EntityName {
  readonly namespace: string;
  readonly name: string;
}

/** What a caller's names mean on this server. */
export interface NameScope {
  /** The namespace that a bare name means. */
  readonly personalNamespace: string;
  /** `local/` is an ordinary namespace here; elsewhere it exists only on the client's machine. */
  readonly hasLocal: boolean;
  /** Server qualifiers that mean this server, lower case. */
  readonly ownServers: readonly string[];
}

/** Hold what comes with the server, and its language models: nothing is registered there. */
const PROVIDED_NAMESPACES: ReadonlySet<string> = new Set([
  'builtin',
  'anthropic',
  'azure',
  'bedrock',
  'cohere',
  'deepseek',
  'google',
  'groq',
  'mistral',
  'ollama',
  'openai',
  'openrouter',
  'xai',
]);

const SERVER = /^[a-z][a-z0-9.-]{0,252}$/;
const QUALIFIED = /^(?:(?<server>[^:/]*):)?(?:(?<namespace>[^:/]*)\/)?(?<name>[^:/]*)$/;

export function isProvidedNamespace(namespace: string): boolean {
  return PROVIDED_NAMESPACES.has(namespace);
}

export function formatName({ namespace, name }: EntityName): string {
  return `${namespace}/${name}`;
}

/**
 * The one reader of `[[server:]namespace/]name`, for every kind of entity. Names compare without regard to case, so
 * the answer is lower case. `path` names the parameter in the error.
 */
export function parseEntityName(text: string, scope: NameScope, path: string): EntityName {
  const groups = QUALIFIED.exec(text.toLowerCase())?.groups;
  if (groups === undefined) throw ValidationError.of(path, 'must have the form [[server:]namespace/]name');
  refuseForeignServer(groups['server'], scope, path);
  const name = requireSegment(groups['name'] ?? '', 'name', path);
  return { namespace: parseNamespace(groups['namespace'] ?? scope.personalNamespace, scope, path), name };
}

/** Reads a namespace by itself, by the same rules as one in front of a name. */
export function parseNamespace(text: string, scope: NameScope, path: string): string {
  const namespace = requireSegment(text.toLowerCase(), 'namespace', path);
  if (isReservedNamespace(namespace)) {
    throw ValidationError.of(path, `uses the reserved namespace "${namespace}"`, 'RESERVED_NAMESPACE');
  }
  if (namespace === 'local' && !scope.hasLocal) {
    throw ValidationError.of(path, 'names local/, which exists only on a client', 'LOCAL_NAMESPACE_ON_SERVER');
  }
  return namespace;
}

function requireSegment(text: string, part: 'namespace' | 'name', path: string): string {
  if (!isNameSegment(text)) throw ValidationError.of(path, `has a bad ${part}: it ${NAME_SEGMENT_RULE}`);
  return text;
}

function refuseForeignServer(server: string | undefined, scope: NameScope, path: string): void {
  if (server === undefined) return;
  if (!SERVER.test(server) || !scope.ownServers.includes(server)) {
    throw ValidationError.of(path, 'names another server', 'FOREIGN_SERVER');
  }
}
