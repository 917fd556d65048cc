import { pino, type Logger } from 'pino';
import { describeScope } from '../observability/request-scope.ts';
import type { Settings } from '../settings.ts';

/** Lines that can't be written are kept up to this size; any more are dropped, so that a full disk doesn't fill up the memory too. */
const MAX_WAITING_BYTES = 1_000_000;

/** Each line is written before execution continues, so that the log of a killed process is complete. */
export function openLog(dest: number | string): ReturnType<typeof pino.destination> {
  const destination = pino.destination({ dest, sync: true, maxLength: MAX_WAITING_BYTES });
  // Without a listener, a full disk would make every call that logs something fail. The error can't be reported anywhere else, and the next
  // line tries again.
  destination.on('error', () => undefined);
  return destination;
}

/** Writes JSON lines to stderr. Removes query parameters from errors, because they contain personal data and secrets. */
export function createLogger({ logLevel }: Pick<Settings, 'logLevel'>, destination = openLog(2)): Logger {
  const options = {
    level: logLevel,
    serializers: { err: describeError },
    mixin: describeScope,
    redact: ['*.password', '*.token', '*.authorization', '*.cookie'],
  };
  return pino(options, destination);
}

type ErrorFacts = {
  readonly type: string;
  readonly message: string;
  readonly code?: unknown;
  readonly stack?: string;
  readonly cause?: ErrorFacts;
};

/** Describes an error for the log and for the message of a failed start. */
export function describeError(error: unknown): ErrorFacts {
  if (!(error instanceof Error)) return { type: typeof error, message: JSON.stringify(error) };
  const message = stripParameters(error.message);
  return {
    type: error.name,
    message,
    ...('code' in error ? { code: error.code } : {}),
    ...(error.stack ? { stack: error.stack.replace(error.message, message) } : {}),
    ...(error.cause instanceof Error ? { cause: describeError(error.cause) } : {}),
  };
}

/** Drizzle puts "params: ..." on the last lines of its messages. */
function stripParameters(message: string): string {
  return message.startsWith('Failed query') ? message.replace(/\nparams: [^]*$/, '') : message;
}
