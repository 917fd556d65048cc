import type { Bed, Clients } from './bed.ts';

/** One operation of a client, with arguments that work. */
export type OperationCase = {
  /** A write may have been done if its response is lost; repeating a read is always safe. */
  readonly effect: 'read' | 'write';
  /** Returns the call with fixed arguments: calling it again sends the same request (with the same idempotency key, if it has one). */
  readonly prepare: (bed: Bed, clients: Clients) => Promise<(clients: Clients) => Promise<unknown>>;
  /** Returns how often the provider has done the work of the prepared call. */
  readonly countEffects?: (bed: Bed) => number;
  /** Set for operations that work once (a code, a refresh token, a return): a second call is rejected or has nothing left to use. */
  readonly worksOnce?: true;
  /** Set if the port promises `unavailable` for every failure. */
  readonly isAlwaysUnavailable?: true;
  /** Set if the result differs each time (tokens, ids, times), so that only its arrival is checked. */
  readonly differsEachTime?: true;
};

/** Every operation of a client; a text explains why one makes no call. An operation without an entry doesn't compile. */
export type CasesOf<Client> = { readonly [Name in keyof Client]-?: OperationCase | string };

export type ClientCases = {
  readonly cases: Readonly<Record<string, OperationCase | string>>;
  /** Returns the operation by its name, to check that the table and the client agree. */
  readonly get: (clients: Clients) => object | undefined;
};

/** Defines an operation that needs no preparation. */
export function read(call: (clients: Clients, bed: Bed) => Promise<unknown>, overrides: Partial<OperationCase> = {}): OperationCase {
  return { effect: 'read', prepare: async (bed) => (clients) => call(clients, bed), ...overrides };
}

export function required<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined) throw new Error(`There is no ${what}.`);
  return value;
}
