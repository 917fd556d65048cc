/** Errors that mean the database can't work now, rather than that a statement is wrong. They end on their own or when an operator acts. */
import { DrizzleQueryError } from 'drizzle-orm';
import { getSqlState } from './sql-errors.ts';

/**
 * - `unreachable`: no connection, or it broke; a commit in progress may have succeeded
 * - `busy`: all connections are taken, or a statement waited too long; nothing was done
 * - `full`: no space or memory left; nothing was done
 * - `read_only`: a standby, or a server that an operator has set to read only; nothing was done
 */
export type DatabaseOutage = 'unreachable' | 'busy' | 'full' | 'read_only';

/** Keyed by SQLSTATE (postgresql.org/docs/current/errcodes-appendix.html), or by its class. */
const OUTAGE_BY_STATE: Readonly<Record<string, DatabaseOutage>> = {
  '08': 'unreachable',
  '53': 'busy',
  '53100': 'full',
  '53200': 'full',
  '25006': 'read_only',
  // A pooler or administrator ended the session, or the server is starting or stopping.
  '57P01': 'unreachable',
  '57P02': 'unreachable',
  '57P03': 'unreachable',
  '57P05': 'unreachable',
  '58030': 'full',
};

const CONNECTION_CODES: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
]);
/** This process may not open any more files, and a connection counts as one. */
const FILE_LIMIT_CODES: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE']);
/** pg's own errors have no code, only a message. */
const BROKEN_CONNECTION = /^Connection terminated|not queryable$|^Cannot use a pool/;

/**
 * The pool had no connection within its time limit, or couldn't open one. Thrown by the pool, so that callers know the database was the
 * cause.
 */
export class NoConnectionError extends Error {
  constructor(cause: unknown) {
    super(`no connection to the database: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = 'NoConnectionError';
  }
}

/** Returns the kind of outage, or undefined for any other error. */
export function findDatabaseOutage(error: unknown): DatabaseOutage | undefined {
  const state = getSqlState(error);
  if (state !== undefined) return OUTAGE_BY_STATE[state] ?? OUTAGE_BY_STATE[state.slice(0, 2)];
  // A provider's broken connection has the same codes, so count only errors of the database's own classes.
  for (let current = error; current instanceof Error; current = current.cause) {
    if (current instanceof NoConnectionError || current instanceof DrizzleQueryError)
      return findConnectionOutage(current.cause) ?? undefined;
    if (BROKEN_CONNECTION.test(current.message)) return 'unreachable';
  }
  return undefined;
}

function findConnectionOutage(cause: unknown): DatabaseOutage | undefined {
  if (!(cause instanceof Error)) return undefined;
  const code = 'code' in cause ? cause.code : undefined;
  if (FILE_LIMIT_CODES.has(code)) return 'busy';
  if (CONNECTION_CODES.has(code) || BROKEN_CONNECTION.test(cause.message)) return 'unreachable';
  // pg-pool's error when all connections are taken.
  if (cause.message === 'timeout exceeded when trying to connect') return 'busy';
  return cause instanceof NoConnectionError ? findConnectionOutage(cause.cause) : undefined;
}
