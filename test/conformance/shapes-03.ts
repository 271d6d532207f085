import type { AgentCard, Message, Task, TaskArtifactUpdateEvent, TaskStatusUpdateEvent } from 'a2a-sdk-03';
import type { SchemaObject } from 'ajv';
import { ANY_OBJECT, checker, FLAG, ID, list, object, TEXT, TEXTS, TIMESTAMP, type Check } from './closed-schema.js';

const METADATA = { metadata: ANY_OBJECT };
const FILE_FACTS = { name: TEXT, mimeType: TEXT };

/** A2A 0.3 §6.5. */
const PART: SchemaObject = {
  oneOf: [
    object({ kind: { const: 'text' }, text: TEXT }, METADATA),
    object(
      {
        kind: { const: 'file' },
        file: { oneOf: [object({ bytes: TEXT }, FILE_FACTS), object({ uri: TEXT }, FILE_FACTS)] },
      },
      METADATA,
    ),
    object({ kind: { const: 'data' }, data: ANY_OBJECT }, METADATA),
  ],
};

/** §6.4. */
const MESSAGE = object(
  { kind: { const: 'message' }, messageId: ID, role: { enum: ['user', 'agent'] }, parts: list(PART) },
  { contextId: ID, taskId: ID, referenceTaskIds: TEXTS, extensions: TEXTS, ...METADATA },
);

const STATES = [
  'submitted',
  'working',
  'input-required',
  'completed',
  'canceled',
  'failed',
  'rejected',
  'auth-required',
  'unknown',
];

/** §6.2, §6.3. */
const STATUS = object({ state: { enum: STATES } }, { timestamp: TIMESTAMP, message: MESSAGE });

/** §6.7. */
const ARTIFACT = object(
  { artifactId: ID, parts: list(PART) },
  { name: TEXT, description: TEXT, extensions: TEXTS, ...METADATA },
);

/** §6.1. */
const TASK = object(
  { kind: { const: 'task' }, id: ID, contextId: ID, status: STATUS },
  { artifacts: { type: 'array', items: ARTIFACT }, history: { type: 'array', items: MESSAGE }, ...METADATA },
);

/** §7.2.2. */
const STATUS_UPDATE = object(
  { kind: { const: 'status-update' }, taskId: ID, contextId: ID, status: STATUS, final: FLAG },
  METADATA,
);

/** §7.2.3. */
const ARTIFACT_UPDATE = object(
  { kind: { const: 'artifact-update' }, taskId: ID, contextId: ID, artifact: ARTIFACT },
  { append: FLAG, lastChunk: FLAG, ...METADATA },
);

/** §6.8, §6.9. */
const PUSH_CONFIG = object(
  { url: ID },
  { id: ID, token: TEXT, authentication: object({ schemes: TEXTS }, { credentials: TEXT }) },
);

/** §6.10. */
const TASK_PUSH_CONFIG = object({ taskId: ID, pushNotificationConfig: PUSH_CONFIG });

const SKILL_FACTS = { id: ID, name: ID, description: TEXT, tags: TEXTS };

/** §5.5. Other generations and the product add members of their own, so that this one is open. */
const CARD: SchemaObject = {
  ...object({
    protocolVersion: TEXT,
    name: ID,
    description: TEXT,
    url: { type: 'string', pattern: '^https?://' },
    version: ID,
    capabilities: { type: 'object', properties: { streaming: FLAG, pushNotifications: FLAG } },
    defaultInputModes: list(TEXT),
    defaultOutputModes: list(TEXT),
    skills: list({ type: 'object', properties: SKILL_FACTS, required: Object.keys(SKILL_FACTS) }),
    preferredTransport: { enum: ['JSONRPC', 'GRPC', 'HTTP+JSON'] },
    additionalInterfaces: list(object({ url: { type: 'string', pattern: '^https?://' }, transport: TEXT })),
    securitySchemes: {
      type: 'object',
      additionalProperties: { type: 'object', properties: { type: TEXT }, required: ['type'] },
    },
    security: list({ type: 'object', additionalProperties: TEXTS }),
  }),
  additionalProperties: true,
};

export type StreamElement03 = Task | Message | TaskStatusUpdateEvent | TaskArtifactUpdateEvent;

const checkTask = checker(TASK);
const checkAnswer = checker({ oneOf: [TASK, MESSAGE] });
const checkElement = checker({ oneOf: [TASK, MESSAGE, STATUS_UPDATE, ARTIFACT_UPDATE] });
const checkConfig = checker(TASK_PUSH_CONFIG);
const checkConfigs = checker({ type: 'array', items: TASK_PUSH_CONFIG });
const cardCheck = checker(CARD);

export function cardIn03(json: unknown): AgentCard {
  cardCheck(json);
  return json as AgentCard;
}

/** The results of A2A 0.3 by method (§7), and of the reference's `tasks/list`, which has their task shapes. */
const RESULTS: Readonly<Record<string, Check>> = {
  'message/send': checkAnswer,
  'message/stream': checkElement,
  'tasks/resubscribe': checkElement,
  'tasks/get': checkTask,
  'tasks/cancel': checkTask,
  'tasks/list': checker(
    object({
      tasks: { type: 'array', items: TASK },
      nextPageToken: TEXT,
      pageSize: { type: 'integer' },
      totalSize: { type: 'integer' },
    }),
  ),
  'tasks/pushNotificationConfig/set': checkConfig,
  'tasks/pushNotificationConfig/get': checkConfig,
  'tasks/pushNotificationConfig/list': checkConfigs,
  'tasks/pushNotificationConfig/delete': checker({ type: 'null' }),
  'agent/getAuthenticatedExtendedCard': cardCheck,
};

/** The result is of exactly the type that A2A 0.3 gives the method. */
export function expectResult03(method: string, json: unknown): void {
  const check = RESULTS[method];
  if (check === undefined) throw new Error(`${method} is no method of A2A 0.3`);
  check(json);
}
