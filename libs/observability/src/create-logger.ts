import type { AppConfig } from '@cleveragents/config';
import { destination, pino, stdTimeFunctions, type DestinationStream, type LoggerOptions } from 'pino';
import { AppLogger } from './app-logger.js';
import { errorForLog } from './error-for-log.js';

const STDOUT = 1;

/** A write per line would cost more than the call it tells of; a quiet server still shows its lines soon. */
const BUFFER_BYTES = 4096;
const FLUSH_MS = 250;

/** `stream` is standard output unless given; in local mode that belongs to the protocol and the log goes elsewhere. */
export function createLogger(log: AppConfig['log'], stream?: DestinationStream): AppLogger {
  const options: LoggerOptions = {
    level: log.level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    serializers: { err: (error: unknown) => errorForLog(error) },
  };
  if (stream !== undefined) return new AppLogger(pino(options, stream));
  if (!log.pretty) return new AppLogger(pino(options, bufferedOutput()));
  const target = { target: 'pino-pretty', options: { ignore: 'source', translateTime: 'SYS:HH:MM:ss.l' } };
  return new AppLogger(pino({ ...options, transport: target }));
}

/** pino writes out what is left when the process exits. */
function bufferedOutput(): DestinationStream {
  const output = destination({ dest: STDOUT, sync: false, minLength: BUFFER_BYTES });
  setInterval(() => output.flush(), FLUSH_MS).unref();
  return output;
}
