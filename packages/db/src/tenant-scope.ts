/**
 * Determines the rows that statements may reach. A scope follows the async context, and the pool passes it to PostgreSQL, whose policies
 * enforce it (docs/decisions/0044). Outside all scopes, no tenant's rows are visible. The embedded engine doesn't support policies and
 * ignores scopes.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { isInTransaction } from './transaction-scope.ts';

export type TenantScope =
  /** No tenant's rows. */
  | { readonly kind: 'none' }
  /** With `clientId`, sees that client's rows instead of the practice's in the tables listed in `CLIENT_TABLES`. */
  | { readonly kind: 'tenant'; readonly tenantId: string; readonly clientId?: string; readonly actorId: string }
  /** Sees the rows of all tenants. */
  | { readonly kind: 'system'; readonly actorId: string }
  /** Leaves the connection's last scope in place. Only for statements on tables without tenants. */
  | { readonly kind: 'unchanged' };

type Holder = { scope: TenantScope };

const NONE: TenantScope = { kind: 'none' };

const holders = new AsyncLocalStorage<Holder>();

/** Returns the scope of this async context, or undefined outside requests, jobs and `runInScope`. */
export function findScope(): TenantScope | undefined {
  return holders.getStore()?.scope;
}

/** Runs work in a scope. Throws inside a transaction, because its connection keeps the scope that it began with. */
export async function runInScope<Result>(scope: TenantScope, work: () => PromiseLike<Result> | Result): Promise<Result> {
  if (isInTransaction()) throw new Error('A transaction keeps its scope: enter another one before it begins.');
  // Await the work inside the scope, because Drizzle sends a statement only when it is awaited.
  return holders.run({ scope }, async () => await work());
}

/** Runs work whose scope isn't known yet, such as a request. No tenant's rows are visible until `enterScope` is called. */
export function runOutsideTenants<Result>(work: () => Result): Result {
  return holders.run({ scope: NONE }, work);
}

/** Sets the scope for the surrounding `runOutsideTenants`. */
export function enterScope(scope: TenantScope): void {
  const holder = holders.getStore();
  if (!holder) throw new Error('enterScope was called outside runOutsideTenants.');
  holder.scope = scope;
}
