import type { Clients, FaultTestBed } from './bed.ts';

/** One operation of a client, with arguments that work. */
export type OperationCase = {
  /** A write may have been carried out if its response is lost; repeating a read is always safe. */
  readonly effect: 'read' | 'write';
  /** Returns the call with fixed arguments: calling it again sends the same request (with the same idempotency key, if it has one). */
  readonly prepare: (testBed: FaultTestBed, clients: Clients) => Promise<(clients: Clients) => Promise<unknown>>;
  /** Returns how often the provider has carried out the prepared call. */
  readonly countEffects?: (testBed: FaultTestBed) => number;
  /** Set for operations that work only once (a code, a refresh token, a return): a second call is rejected or has nothing left to use. */
  readonly worksOnce?: true;
  /** Set if the port promises `unavailable` for every failure. */
  readonly isAlwaysUnavailable?: true;
  /** Set if the provider's answer has no content, so that an unreadable one is the same success. */
  readonly hasEmptyAnswer?: true;
  /** Set if the result differs each time (tokens, ids, times), so that only its arrival is checked. */
  readonly differsEachTime?: true;
};

/** Every operation of a client; text explains why one doesn't make a call. If an operation has no entry, it's a compile error. */
export type CasesOf<Client> = { readonly [Name in keyof Client]-?: OperationCase | string };

export type ClientCases = {
  readonly cases: Readonly<Record<string, OperationCase | string>>;
  /** Returns the operation by name, to check that the table and the client agree. */
  readonly get: (clients: Clients) => object | undefined;
};

/** Defines an operation that doesn't need any preparation. */
export function read(
  call: (clients: Clients, testBed: FaultTestBed) => Promise<unknown>,
  overrides: Partial<OperationCase> = {},
): OperationCase {
  return { effect: 'read', prepare: async (testBed) => (clients) => call(clients, testBed), ...overrides };
}

export function required<Value>(value: Value | undefined, valueName: string): Value {
  if (value === undefined) throw new Error(`There is no ${valueName}.`);
  return value;
}
