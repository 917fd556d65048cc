/** Recordings of bookkeeping software: its own JSON objects by resource, in the format of a GET, without the API's envelope. */
export type Recordings = Readonly<Record<string, readonly RecordedObject[]>>;
export type RecordedObject = Readonly<Record<string, unknown>>;

/** Returns the organisation's recordings that a token may read, or why it may not. */
export type FindRecordings = (accessToken: string, organisationId: string) => Recordings | 'unknown_token' | 'other_organisation';

/** Serves one organisation to the bearer of one token. */
export function serveOne(recordings: Recordings, accessToken: string, organisationId?: string): FindRecordings {
  return (token, organisation) => {
    if (token !== accessToken) return 'unknown_token';
    return organisationId === undefined || organisation === organisationId ? recordings : 'other_organisation';
  };
}

export function readBearerToken(authorization: string | undefined): string {
  return /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? '';
}

export type CallLimit = {
  /** Calls allowed in any 60 seconds. */
  readonly perMinute: number;
  /** The time in milliseconds. Tests replace it, so that they don't have to wait. */
  readonly now: () => number;
};

/**
 * Returns how long to wait, in seconds, or undefined if the call is within the limit. `subject` is whose calls are counted together: Xero and
 * QuickBooks have a limit for each organisation, FreeAgent for each user.
 */
export function createCallCounter(limit: CallLimit | undefined): (subject: string) => number | undefined {
  const callsBySubject = new Map<string, number[]>();
  return (subject) => {
    if (limit === undefined) return undefined;
    const calls = callsBySubject.get(subject) ?? [];
    callsBySubject.set(subject, calls);
    const now = limit.now();
    while (calls[0] !== undefined && calls[0] <= now - 60_000) calls.shift();
    if (calls.length < limit.perMinute) {
      calls.push(now);
      return undefined;
    }
    return Math.ceil(((calls[0] ?? now) + 60_000 - now) / 1_000);
  };
}

/** Returns a page of a list. `page` starts at 1. */
export function getPageSlice<Item>(items: readonly Item[], page: number, pageSize: number): readonly Item[] {
  return items.slice((page - 1) * pageSize, page * pageSize);
}

/** Returns a query parameter as a whole number within bounds, the fallback if it is missing, or undefined if it is invalid. */
export function readWholeNumber(text: string | null, fallback: number, [min, max]: readonly [number, number]): number | undefined {
  if (text === null) return fallback;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : undefined;
}
