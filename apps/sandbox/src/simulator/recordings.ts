/** Recordings of bookkeeping software: its own JSON objects by resource, in the format of a GET, without the API's envelope. */
export type Recordings = Readonly<Record<string, readonly RecordedObject[]>>;
export type RecordedObject = Readonly<Record<string, unknown>>;

/** The recordings that a token may read of an organisation, or why not. */
export type FindRecordings = (accessToken: string, organisationId: string) => Recordings | 'unknown_token' | 'other_organisation';

/** Serves one organisation to the holder of one token. */
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
  /** Milliseconds. A port, so that tests need no real time. */
  readonly now: () => number;
};

/** Returns how long to wait, in seconds, or undefined if the call is within the limit. */
export function createCallCounter(limit: CallLimit | undefined): () => number | undefined {
  const calls: number[] = [];
  return () => {
    if (limit === undefined) return undefined;
    const now = limit.now();
    while (calls[0] !== undefined && calls[0] <= now - 60_000) calls.shift();
    if (calls.length < limit.perMinute) {
      calls.push(now);
      return undefined;
    }
    return Math.ceil(((calls[0] ?? now) + 60_000 - now) / 1_000);
  };
}

/** A page of a list; `page` starts at 1. */
export function slicePage<Item>(items: readonly Item[], page: number, pageSize: number): readonly Item[] {
  return items.slice((page - 1) * pageSize, page * pageSize);
}

/** A whole number from a query parameter within bounds; the fallback if it is missing, undefined if it isn't valid. */
export function readWhole(text: string | null, fallback: number, [min, max]: readonly [number, number]): number | undefined {
  if (text === null) return fallback;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : undefined;
}
