import type { RegisteredMethod } from './json-rpc-registry.js';
import { isDeprecatedName } from './method-family.js';
import { DtoSchemas, type JsonSchema } from './schema-of.js';

/** What the document says of the server beside its methods. */
export interface OpenRpcInfo {
  readonly title: string;
  readonly description: string;
  readonly version: string;
  /** Where the calls go. */
  readonly url: string;
}

/** An OpenRPC document, as far as this server writes one. */
export interface OpenRpcDocument {
  readonly openrpc: string;
  readonly info: { readonly title: string; readonly description: string; readonly version: string };
  readonly servers: readonly { readonly name: string; readonly url: string }[];
  readonly methods: readonly OpenRpcMethod[];
  readonly components: { readonly schemas: { readonly [name: string]: JsonSchema } };
}

interface OpenRpcMethod {
  readonly name: string;
  readonly summary: string;
  readonly tags: readonly { readonly name: string }[];
  readonly paramStructure: 'by-name';
  readonly params: readonly ContentDescriptor[];
  readonly result: ContentDescriptor;
  /** Least a caller must be. */
  readonly 'x-access': string;
  /** Every element of the stream is such a result. */
  readonly 'x-streaming': boolean;
  readonly 'x-aliases'?: readonly string[];
  readonly 'x-deprecated-names'?: readonly string[];
}

interface ContentDescriptor {
  readonly name: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
}

const SPECIFICATION_VERSION = '1.4.0';
const SCHEMAS = '#/components/schemas/';

/** Describes methods from the same decorators that check their params. */
export function openRpcDocument(methods: readonly RegisteredMethod[], info: OpenRpcInfo): OpenRpcDocument {
  const { url, title, description, version } = info;
  const schemas = new DtoSchemas(SCHEMAS);
  return {
    openrpc: SPECIFICATION_VERSION,
    info: { title, description, version },
    servers: [{ name: 'A2A endpoint', url }],
    methods: methods.map((method) => describe(method, schemas)),
    components: { schemas: schemas.byName() },
  };
}

function describe({ name, tag, kind, family, spec, aliases }: RegisteredMethod, schemas: DtoSchemas): OpenRpcMethod {
  const deprecated = aliases.filter(isDeprecatedName);
  const others = aliases.filter((alias) => !isDeprecatedName(alias));
  return {
    name,
    summary: spec.summary,
    tags: [{ name: tag }],
    paramStructure: 'by-name',
    params: paramsOf(schemas.schemaOf(spec.params, family === 'platform')),
    result: { name: spec.result.name, schema: schemas.refTo(spec.result, false) },
    'x-access': spec.access,
    'x-streaming': kind === 'stream',
    ...(others.length === 0 ? {} : { 'x-aliases': others }),
    ...(deprecated.length === 0 ? {} : { 'x-deprecated-names': deprecated }),
  };
}

/** One param per member, because tools make arguments of them. */
function paramsOf(schema: JsonSchema): ContentDescriptor[] {
  const members = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  const required = new Set((schema.required ?? []) as readonly string[]);
  return members.map(([name, { description, ...member }]) => ({
    name,
    required: required.has(name),
    ...(typeof description === 'string' ? { description } : {}),
    schema: member,
  }));
}
