import { pino, type Logger } from 'pino';
import { describeScope } from '../observability/request-scope.ts';
import type { Settings } from '../settings.ts';

/** JSON lines on stderr. Query parameters are removed from errors, because they contain personal data and secrets. */
export function createLogger({ logLevel }: Pick<Settings, 'logLevel'>, destination = pino.destination({ dest: 2, sync: true })): Logger {
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
  const message = withoutParameters(error.message);
  return {
    type: error.name,
    message,
    ...('code' in error ? { code: error.code } : {}),
    ...(error.stack ? { stack: error.stack.replace(error.message, message) } : {}),
    ...(error.cause instanceof Error ? { cause: describeError(error.cause) } : {}),
  };
}

/** Drizzle puts "params: ..." on the last lines of its message. */
function withoutParameters(message: string): string {
  return message.startsWith('Failed query') ? message.replace(/\nparams: [^]*$/, '') : message;
}
