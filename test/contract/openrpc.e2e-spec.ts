import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestServer } from '../e2e/test-server.js';

/** The package's types are sources that do not pass this project's compiler. */
const require = createRequire(import.meta.url);
const schemaTools = require('@open-rpc/schema-utils-js') as {
  /** True, or an Error that says what is wrong. */
  validateOpenRPCDocument(document: unknown): true | Error;
  /** Fails for a reference that leads nowhere. */
  parseOpenRPCDocument(text: string): Promise<unknown>;
};

const { default: metaSchema } = require('@open-rpc/meta-schema') as { default: object };

/** What the meta-schema refers to for JSON Schemas; whether they are some is asked of them one by one. */
const JSON_SCHEMAS = {
  type: 'object',
  definitions: { JSONSchemaObject: { properties: { $ref: { type: 'string' } } } },
};

/** The published meta-schema, whose newest version is 1.3.2: the document keeps to what its readers know. */
function problemsIn(candidate: Document): unknown {
  const ajv = new Ajv({ strict: false, logger: false });
  for (const $id of ['https://meta.json-schema.tools', 'https://meta.json-schema.tools/']) {
    ajv.addSchema({ ...JSON_SCHEMAS, $id });
  }
  const validate = ajv.compile(metaSchema);
  const params = candidate.methods.flatMap((method) => method.params.map(({ schema }) => schema));
  const schemas = [...Object.values(candidate.components.schemas), ...params];
  return [
    ...(validate(candidate) ? [] : (validate.errors ?? [])),
    ...schemas.filter((schema) => ajv.validateSchema(schema) !== true),
  ];
}

interface Method {
  readonly name: string;
  readonly params: readonly { readonly name: string; readonly required?: boolean; readonly schema: object }[];
  readonly result: { readonly schema: object };
  readonly 'x-streaming': boolean;
  readonly 'x-aliases'?: readonly string[];
  readonly 'x-deprecated-names'?: readonly string[];
}

interface Document {
  readonly openrpc: string;
  readonly info: { readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly methods: readonly Method[];
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

let server: TestServer;
let document: Document;

beforeAll(async () => {
  server = await TestServer.start({ PUBLIC_BASE_URL: 'https://agents.example.test' });
  document = (await (await server.get('/openrpc.json')).json()) as Document;
});

afterAll(() => server.stop());

const methodNamed = (name: string): Method | undefined => document.methods.find((method) => method.name === name);

describe('the OpenRPC document', () => {
  it('is served without a token, and by rpc.discover with one', async () => {
    expect(document.openrpc).toBe('1.4.0');
    expect(document.servers).toEqual([{ name: 'A2A endpoint', url: 'https://agents.example.test/a2a' }]);
    expect((await server.call('rpc.discover')).result).toEqual(document);
    const refused = await server.post({ jsonrpc: '2.0', id: 1, method: 'rpc.discover' }, { authorization: undefined });
    expect(refused.status).toBe(401);
    expect(
      (await server.post({ jsonrpc: '2.0', id: 1, method: 'rpc.discover' })).headers.get('deprecation'),
    ).toBeNull();
  });

  it('is valid by the meta-schema, and all its references resolve', async () => {
    expect(schemaTools.validateOpenRPCDocument(document)).toBe(true);
    expect(problemsIn({ ...document, openrpc: '1.3.2' })).toEqual([]);
    await expect(schemaTools.parseOpenRPCDocument(JSON.stringify(document))).resolves.toHaveProperty('methods');
  });

  it('has every method once, with its params one by one and all its names', () => {
    const names = document.methods.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(['SendMessage', '_cleveragents/plan/use', 'rpc.discover']));
    expect(methodNamed('SendMessage')).toMatchObject({
      paramStructure: 'by-name',
      params: expect.arrayContaining([expect.objectContaining({ name: 'message', required: true })]) as unknown[],
      'x-aliases': expect.arrayContaining(['message/send', 'tasks/send']) as string[],
      'x-streaming': false,
    });
    expect(methodNamed('SendStreamingMessage')).toMatchObject({ 'x-streaming': true });
    expect(methodNamed('_cleveragents/plan/status')).toMatchObject({ 'x-deprecated-names': ['plan.status'] });
  });

  it('names only methods that the server knows', async () => {
    for (const { name, 'x-aliases': aliases = [], 'x-deprecated-names': deprecated = [] } of document.methods) {
      for (const accepted of [name, ...aliases, ...deprecated]) {
        const { error } = await server.call(accepted, { unknown_member_of_the_test: 1 });
        expect(error?.code, accepted).not.toBe(-32601);
      }
    }
  });

  it('changes only knowingly: npm run contract:update writes the file anew', async () => {
    const stable = { ...document, info: { ...document.info, version: '0.0.0' } };
    await expect(`${JSON.stringify(stable, null, 2)}\n`).toMatchFileSnapshot('openrpc.json');
  });
});
