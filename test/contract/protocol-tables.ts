import * as jsonRpc from '@cleveragents/jsonrpc';
import * as kernel from '@cleveragents/kernel';
import {
  codecFor,
  negotiate,
  OPERATION_NAMES,
  SUPPORTED_DIALECTS,
  TASK_STATES,
  type NameGrammar,
  type Operation,
} from '@cleveragents/protocol';

/** The generated parts of docs/protocol.md by name, each a Markdown table made from the code itself. */
export function protocolTables(): Readonly<Record<string, string>> {
  return {
    operations: operations(),
    versions: versions(),
    states: states(),
    'a2a errors': a2aErrors(),
    errors: errors(),
  };
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

const code = (text: string): string => `\`${text}\``;
const codes = (texts: readonly string[]): string => (texts.length === 0 ? '—' : texts.map(code).join('<br>'));

function operations(): string {
  const ids = [...new Set(OPERATION_NAMES.map(({ operation }) => operation))];
  return table(
    ['A2A 1.0', 'A2A 0.3 and 0.2', 'A2A 0.1', "the product's reference"],
    ids.map((id) => [
      code(id),
      ...(['0.3', '0.1', 'reference'] as const).map((grammar) => codes(namesIn(grammar, id))),
    ]),
  );
}

function namesIn(grammar: NameGrammar, operation: Operation): string[] {
  const own = OPERATION_NAMES.filter((entry) => entry.operation === operation);
  return own
    .filter((entry) => entry.grammar === grammar || (grammar === '0.1' && entry.isSharedWith01))
    .map(({ name }) => name);
}

/** One name of each kind. */
const EXAMPLES = ['SendMessage', 'message/send', 'tasks/get', 'tasks/send', 'tasks/list'] as const;
const VERSIONS = [undefined, '0.1', '0.2', '0.3', '1.0', '2.0'] as const;

function versions(): string {
  const head = ['Method', ...VERSIONS.map((version) => (version === undefined ? 'no version' : code(version)))];
  return table(
    head,
    EXAMPLES.map((method) => [code(method), ...VERSIONS.map((version) => answeredIn(method, version))]),
  );
}

function answeredIn(method: string, header: string | undefined): string {
  try {
    const { dialect, dialectDependsOnTask } = negotiate({ header, method, isPlatformMethod: false });
    return dialectDependsOnTask ? `${dialect}, of a task born in 0.1: 0.1` : dialect;
  } catch (error) {
    return String(answerTo(error, 'standard').code);
  }
}

function states(): string {
  return table(
    SUPPORTED_DIALECTS.toReversed().map((dialect) => `A2A ${dialect}`),
    TASK_STATES.map((state) =>
      SUPPORTED_DIALECTS.toReversed().map((dialect) => {
        const task = { id: 't', contextId: 'c', status: { state, timestamp: '2026-01-01T00:00:00.000Z' } };
        const encoded = codecFor(dialect).encode('GetTask', task) as { status: { state: string } };
        return code(encoded.status.state);
      }),
    ),
  );
}

/** A2A 1.0 §5.4. */
const A2A_REASONS = [
  'TASK_NOT_FOUND',
  'TASK_NOT_CANCELABLE',
  'PUSH_NOTIFICATION_NOT_SUPPORTED',
  'UNSUPPORTED_OPERATION',
  'CONTENT_TYPE_NOT_SUPPORTED',
  'INVALID_AGENT_RESPONSE',
  'EXTENDED_AGENT_CARD_NOT_CONFIGURED',
  'EXTENSION_SUPPORT_REQUIRED',
  'VERSION_NOT_SUPPORTED',
];

function a2aErrors(): string {
  return table(
    ['Code', 'Reason'],
    A2A_REASONS.map((reason) => [
      String(answerTo(new kernel.A2aError('x', {}, { reason }), 'standard').code),
      code(reason),
    ]),
  );
}

type ErrorClass = new (message: string) => kernel.CleverAgentsError;

function errors(): string {
  const rows = [...Object.values<unknown>(kernel), ...Object.values<unknown>(jsonRpc)]
    .filter(isErrorClass)
    .map((type) => {
      const error = type.name === 'ValidationError' ? kernel.ValidationError.of('a', 'is wrong') : new type('x');
      const standard = answerTo(error, 'standard');
      return [
        code(type.name),
        code(error.reason),
        String(standard.code),
        String(answerTo(error, 'platform').code),
        String(standard.status),
      ];
    });
  return table(
    ['Error', 'Default reason', 'A2A operations', '`_cleveragents/*`', 'HTTP'],
    rows.sort(([a = ''], [b = '']) => (a < b ? -1 : 1)),
  );
}

function isErrorClass(value: unknown): value is ErrorClass {
  if (typeof value !== 'function' || value === kernel.CleverAgentsError) return false;
  return value.prototype instanceof kernel.CleverAgentsError;
}

/** The number of an error as a caller sees it, and the HTTP status beside it. */
function answerTo(error: unknown, family: 'standard' | 'platform'): { code: number; status: number } {
  const context = { family, dialect: '0.3', method: null, correlationId: 'x' } as const;
  const { body, status } = jsonRpc.toErrorAnswer(new jsonRpc.FailedCall(error, context, 'null'));
  return { code: (JSON.parse(body) as { error: { code: number } }).error.code, status };
}
