import type { SchemaObject } from 'ajv';
import { ANY_OBJECT, checker, FLAG, ID, list, object, TEXT, TIMESTAMP, type Check } from './closed-schema.js';

const METADATA = { metadata: ANY_OBJECT };
const FILE_FACTS = { name: TEXT, mimeType: TEXT };
const FILE: SchemaObject = { oneOf: [object({ bytes: TEXT }, FILE_FACTS), object({ uri: TEXT }, FILE_FACTS)] };

const PART: SchemaObject = {
  oneOf: [
    object({ type: { const: 'text' }, text: TEXT }, METADATA),
    object({ type: { const: 'file' }, file: FILE }, METADATA),
    object({ type: { const: 'data' }, data: ANY_OBJECT }, METADATA),
  ],
};

const MESSAGE = object({ role: { enum: ['user', 'agent'] }, parts: list(PART) }, METADATA);

const STATES = ['submitted', 'working', 'input-required', 'completed', 'canceled', 'failed', 'unknown'];
const STATUS = object({ state: { enum: STATES } }, { message: MESSAGE, timestamp: TIMESTAMP });

const ARTIFACT = object(
  { parts: list(PART), index: { type: 'integer', minimum: 0 } },
  { name: TEXT, description: TEXT, append: FLAG, lastChunk: FLAG, ...METADATA },
);

const TASK = object(
  { id: ID, sessionId: ID, status: STATUS },
  { artifacts: { type: 'array', items: ARTIFACT }, history: { type: 'array', items: MESSAGE }, ...METADATA },
);

const ELEMENT: SchemaObject = {
  oneOf: [object({ id: ID, status: STATUS, final: FLAG }, METADATA), object({ id: ID, artifact: ARTIFACT }, METADATA)],
};

const PUSH_CONFIG = object(
  { url: ID },
  { token: TEXT, authentication: object({ schemes: { type: 'array', items: TEXT } }, { credentials: TEXT }) },
);

const checkTask = checker(TASK);
const checkElement = checker(ELEMENT);
const checkConfig = checker(object({ id: ID, pushNotificationConfig: PUSH_CONFIG }));

/** The results of A2A 0.1 by method. */
const RESULTS: Readonly<Record<string, Check>> = {
  'tasks/send': checkTask,
  'tasks/get': checkTask,
  'tasks/cancel': checkTask,
  'tasks/sendSubscribe': checkElement,
  'tasks/resubscribe': checkElement,
  'tasks/pushNotification/set': checkConfig,
  'tasks/pushNotification/get': checkConfig,
};

/** The result is of exactly the type that A2A 0.1 gives the method. */
export function expectResult01(method: string, json: unknown): void {
  const check = RESULTS[method];
  if (check === undefined) throw new Error(`${method} is no method of A2A 0.1`);
  check(json);
}
