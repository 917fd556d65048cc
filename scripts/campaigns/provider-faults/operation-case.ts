import type { Bed, Clients } from './bed.ts';

/** One operation of a client, with arguments that work. */
export type OperationCase = {
  /** A write may have been done when its answer is lost; repeating a read is always safe. */
  readonly effect: 'read' | 'write';
  /** Returns the call with fixed arguments: called again, it is the same request (with the same idempotency key, if it has one). */
  readonly prepare: (bed: Bed, clients: Clients) => Promise<(clients: Clients) => Promise<unknown>>;
  /** How often the provider has done the work of the prepared call. */
  readonly countEffects?: (bed: Bed) => number;
  /** What works once (a code, a refresh token, a return) can't be repeated: the provider refuses the second call, or has used it up. */
  readonly worksOnce?: true;
  /** Set if the port promises `unavailable` for every failure. */
  readonly isAlwaysUnavailable?: true;
  /** Set if the answer differs each time (tokens, ids, times), so that only its arrival is checked. */
  readonly differsEachTime?: true;
};

/** Every operation of a client; a text says why one sends nothing. An operation without a line doesn't compile. */
export type CasesOf<Client> = { readonly [Name in keyof Client]-?: OperationCase | string };

export type ClientCases = {
  readonly cases: Readonly<Record<string, OperationCase | string>>;
  /** Calls the operation by its name, to see that the table and the client agree. */
  readonly get: (clients: Clients) => object | undefined;
};

/** An operation that needs nothing prepared. */
export function read(call: (clients: Clients, bed: Bed) => Promise<unknown>, more: Partial<OperationCase> = {}): OperationCase {
  return { effect: 'read', prepare: async (bed) => (clients) => call(clients, bed), ...more };
}

export function required<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined) throw new Error(`There is no ${what}.`);
  return value;
}
