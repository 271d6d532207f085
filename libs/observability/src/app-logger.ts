import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';

/** The facts of one call. Never its params, its result or its credentials. */
export interface CallLine {
  readonly correlation_id: string;
  readonly method: string | null;
  readonly transport: 'http' | 'stdio';
  readonly principal: string | null;
  readonly task_id?: string | undefined;
  readonly duration_ms: number;
  /** JSON-RPC error number; 0 = answered with a result. */
  readonly code: number;
}

export type LogFields = Readonly<Record<string, unknown>>;

/** Parts of Nest that report each step of a start, and a failure that the start throws anyway. */
const START_CHATTER: ReadonlySet<unknown> = new Set([
  'ExceptionHandler',
  'InstanceLoader',
  'NestApplication',
  'NestFactory',
  'RouterExplorer',
  'RoutesResolver',
]);

/** The one logger: structured lines through pino, and Nest's own messages through the same pipe. */
export class AppLogger implements LoggerService {
  constructor(private readonly pino: Logger) {}

  /** Ask before building the fields of a line on a hot path: a disabled line must cost nothing. */
  isEnabled(level: LogLevel): boolean {
    return this.pino.isLevelEnabled(level);
  }

  /** One line per call, written when the call or its stream is over. */
  call(level: LogLevel, line: CallLine): void {
    this.pino[level](line, 'call');
  }

  /** A structured line. An Error under `err` is written with its stack: for the log only, never for a client. */
  write(level: LogLevel, fields: LogFields, message: string): void {
    this.pino[level](fields, message);
  }

  log(message: unknown, ...context: unknown[]): void {
    this.nest('info', message, context);
  }

  error(message: unknown, ...context: unknown[]): void {
    this.nest('error', message, context);
  }

  warn(message: unknown, ...context: unknown[]): void {
    this.nest('warn', message, context);
  }

  debug(message: unknown, ...context: unknown[]): void {
    this.nest('debug', message, context);
  }

  verbose(message: unknown, ...context: unknown[]): void {
    this.nest('trace', message, context);
  }

  fatal(message: unknown, ...context: unknown[]): void {
    this.nest('fatal', message, context);
  }

  /** Writes out what is still buffered; call it last. */
  flush(): void {
    this.pino.flush();
  }

  /** Nest passes the class name as the last argument and, with an error, the stack before it. */
  private nest(wanted: LogLevel, message: unknown, context: readonly unknown[]): void {
    const source = context.at(-1);
    const level = START_CHATTER.has(source) ? 'debug' : wanted;
    if (!this.isEnabled(level)) return;
    const fields = { source, ...(context.length > 1 ? { stack: context[0] } : {}) };
    if (message instanceof Error) this.pino[level]({ ...fields, err: message }, message.message);
    else this.pino[level](fields, typeof message === 'string' ? message : JSON.stringify(message));
  }
}
