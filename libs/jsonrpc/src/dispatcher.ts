import { Inject, Injectable } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '@cleveragents/config';
import { AppLogger } from '@cleveragents/observability';
import { defer, map, tap, type Observable } from 'rxjs';
import { AnswerForm } from './answer-form.js';
import type { CallContext } from './call-context.js';
import { authenticated, requireAccess, requireExtension } from './call-admission.js';
import { CallLog } from './call-log.js';
import { CallRouter, type CallRoute, type CallerFacts } from './call-route.js';
import type { Caller } from './caller.js';
import type { MethodKind } from './decorators.js';
import { DeprecatedCalls } from './deprecated-calls.js';
import { NOTHING, type DispatchOutcome, type StreamOutcome } from './dispatch-outcome.js';
import { DispatchedCall } from './dispatched-call.js';
import { readEnvelope, type Envelope } from './envelope.js';
import { FailedCall, NO_HEADERS, toErrorAnswer, type Answer } from './failed-call.js';
import type { RegisteredMethod } from './json-rpc-registry.js';
import { paramsObject } from './params-check.js';
import { InvalidRequestError } from './protocol-errors.js';
import { RawJson } from './raw-json.js';
import { resultText, withWarning } from './result-text.js';
import type { StreamEvent } from './stream-event.js';
import { BareFrames, ResponseFrames, type StreamFrames } from './stream-frames.js';

/** Calls in one batch. */
export const MAX_BATCH = 50;
const BATCH_CONCURRENCY = 8;

/** How a call came: by itself, in a batch, or where elements of a stream go out bare. */
type CallSetting = 'alone' | 'batch' | 'bare';

/** A call that nothing stands against: it is carried out. */
interface AdmittedCall {
  readonly startedAt: number;
  readonly caller: Caller;
  /** null = a notification. */
  readonly idText: string | null;
  readonly route: CallRoute;
  readonly method: RegisteredMethod;
  readonly form: AnswerForm;
  readonly params: object;
  readonly context: CallContext;
}

/**
 * The single pipeline of all transports. Order of refusals: envelope, method, authentication, role, params.
 * A refused or failed call leaves as a FailedCall; what that becomes on the wire is `toErrorAnswer`.
 */
@Injectable()
export class Dispatcher {
  private readonly log: CallLog;

  constructor(
    private readonly router: CallRouter,
    private readonly deprecatedCalls: DeprecatedCalls,
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    logger: AppLogger,
  ) {
    this.log = new CallLog(logger);
  }

  /** `body` is the parsed body: one call or a batch. */
  dispatch(body: unknown, caller: Caller): Promise<DispatchOutcome> {
    return Array.isArray(body) ? this.batch(body, caller) : this.single(body, caller, 'alone');
  }

  /** One call of a streaming method, whose elements go out without an envelope. */
  bareStream(body: unknown, caller: Caller): StreamOutcome {
    const call = this.admit(body, caller, 'bare');
    return this.openStream(call, new BareFrames(call.form.bareEncoder()));
  }

  /** For what fails before there is a call: an unreadable body, a refused connection. */
  failure(error: unknown, caller: CallerFacts): FailedCall {
    return new FailedCall(error, this.router.contextOf(caller), 'null');
  }

  private async single(body: unknown, caller: Caller, setting: CallSetting): Promise<DispatchOutcome> {
    const call = this.admit(body, caller, setting);
    if (call.method.kind === 'stream') {
      return this.openStream(call, new ResponseFrames(call.idText ?? 'null', call.form));
    }
    try {
      const result = await (call.method.invoke(call.params, call.context) as Promise<object | RawJson>);
      return this.answer(call, result);
    } catch (error) {
      const failed = this.failed(call, error);
      // An accepted notification was carried out; how it ended is nobody's answer.
      if (call.idText === null) return NOTHING;
      throw failed;
    }
  }

  private admit(body: unknown, caller: Caller, setting: CallSetting): AdmittedCall {
    const startedAt = performance.now();
    const envelope = readEnvelope(body);
    if ('error' in envelope) {
      throw this.refused(
        startedAt,
        caller,
        new FailedCall(envelope.error, this.router.contextOf(caller), envelope.idText),
      );
    }
    const route = this.router.route(envelope.method, caller);
    try {
      return this.checked(startedAt, envelope, route, caller, setting);
    } catch (error) {
      const failed = new FailedCall(error, route.context, envelope.idText ?? 'null', route.headers);
      throw this.refused(startedAt, caller, failed);
    }
  }

  private checked(
    startedAt: number,
    envelope: Envelope,
    route: CallRoute,
    caller: Caller,
    setting: CallSetting,
  ): AdmittedCall {
    const principal = authenticated(caller, route.method?.spec.access);
    if (route.refusal !== null) throw route.refusal;
    const { method } = route;
    const { access, operation } = method.spec;
    if (this.config.a2a.extensionRequired && access !== 'public') requireExtension(caller);
    requireAccess(principal, access);
    requireReadable(method.kind, envelope, setting);
    const raw = paramsObject(envelope.params);
    const form = new AnswerForm(
      operation,
      operation === undefined ? '1.0' : route.dialect,
      route.dialectDependsOnTask,
      raw,
    );
    const params = method.check(operation === undefined ? raw : form.codec().decode(operation, raw, envelope.method));
    if (route.isDeprecatedName) this.deprecatedCalls.count(envelope.method);
    const context = new DispatchedCall(principal, route.dialect, envelope.method, caller);
    return { startedAt, caller, idText: envelope.idText, route, method, form, params, context };
  }

  private answer(call: AdmittedCall, result: object | RawJson): DispatchOutcome {
    const { route, method, idText } = call;
    this.log.answered(call.startedAt, call.caller, route.context.method ?? method.name, call.params);
    if (idText === null) return NOTHING;
    let text = resultText(result, call.form);
    if (route.isDeprecatedName) text = withWarning(text, `${route.context.method} is deprecated: use ${method.name}`);
    return {
      kind: 'single',
      body: `{"jsonrpc":"2.0","id":${idText},"result":${text}}`,
      status: 200,
      headers: route.headers,
    };
  }

  private openStream(call: AdmittedCall, frames: StreamFrames): StreamOutcome {
    const { route, caller, startedAt } = call;
    let isLogged = false;
    const events = defer(() => call.method.invoke(call.params, call.context) as Observable<StreamEvent>).pipe(
      map((event) => ({ cursor: event.cursor, texts: frames.of(event) })),
      tap({
        error: (error: unknown) => {
          isLogged = true;
          this.failed(call, error);
        },
        finalize: () => {
          if (!isLogged) this.log.answered(startedAt, caller, route.context.method ?? call.method.name, call.params);
        },
      }),
    );
    return {
      kind: 'stream',
      idText: call.idText ?? 'null',
      events,
      context: route.context,
      headers: route.headers,
    };
  }

  private failed(call: AdmittedCall, error: unknown): FailedCall {
    const failed = new FailedCall(error, call.route.context, call.idText ?? 'null', call.route.headers);
    this.log.failed(call.startedAt, call.caller, failed, call.params);
    return failed;
  }

  private refused(startedAt: number, caller: Caller, failed: FailedCall): FailedCall {
    this.log.failed(startedAt, caller, failed);
    return failed;
  }

  private async batch(items: readonly unknown[], caller: Caller): Promise<DispatchOutcome> {
    const problem = batchProblem(items.length);
    if (problem !== null) throw this.failure(new InvalidRequestError(problem), caller);
    const answers: (Answer | null)[] = [];
    const waiting = items.entries();
    const worker = async (): Promise<void> => {
      for (const [index, item] of waiting) answers[index] = await this.batchItem(item, caller);
    };
    await Promise.all(Array.from({ length: Math.min(BATCH_CONCURRENCY, items.length) }, worker));
    return joined(answers.filter((answer) => answer !== null));
  }

  private async batchItem(item: unknown, caller: Caller): Promise<Answer | null> {
    try {
      const outcome = await this.single(item, caller, 'batch');
      return outcome.kind === 'single' ? outcome : null;
    } catch (error) {
      return toErrorAnswer(error instanceof FailedCall ? error : this.failure(error, caller));
    }
  }
}

/** A stream needs a response of its own and, but for bare elements, an id to answer to. */
function requireReadable(kind: MethodKind, envelope: Envelope, setting: CallSetting): void {
  if (kind === 'unary') {
    if (setting === 'bare') throw new InvalidRequestError('only a streaming method can be called here');
    return;
  }
  if (setting === 'batch') throw new InvalidRequestError('a streaming method cannot be part of a batch');
  if (setting === 'alone' && envelope.idText === null) throw new InvalidRequestError('a streaming method needs an id');
}

function batchProblem(length: number): string | null {
  if (length === 0) return 'the batch is empty';
  return length > MAX_BATCH ? `a batch holds at most ${MAX_BATCH} calls` : null;
}

/** The status says something only if it holds for every answer. */
function joined(answers: readonly Answer[]): DispatchOutcome {
  const [first] = answers;
  if (first === undefined) return NOTHING;
  const isShared = answers.every((answer) => answer.status === first.status);
  return {
    kind: 'single',
    body: `[${answers.map((answer) => answer.body).join(',')}]`,
    status: isShared ? first.status : 200,
    headers: isShared ? first.headers : NO_HEADERS,
  };
}
