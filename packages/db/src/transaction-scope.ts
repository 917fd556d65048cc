/**
 * Knows, per chain of calls, whether a transaction is open. Two rules rest on it. Using the outer database inside a transaction
 * waits for ever on the embedded engine and silently leaves the transaction on a pool: here it throws, on both. And what must
 * only happen once the rows are visible (waking the jobs) waits for the commit.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

type Scope = { open: boolean; readonly afterCommit: (() => void)[] };

const scopes = new AsyncLocalStorage<Scope>();

export function refuseInsideTransaction(): void {
  if (scopes.getStore()?.open) {
    throw new Error('The outer database was used inside a transaction: pass `tx` on to what is called there.');
  }
}

/** Runs `begin` so that its work is in a scope, and what `afterCommit` gathered there once it has succeeded. */
export async function inTransactionScope<Result>(begin: () => Promise<Result>): Promise<Result> {
  refuseInsideTransaction();
  const scope: Scope = { open: true, afterCommit: [] };
  const result = await scopes.run(scope, begin).finally(() => (scope.open = false));
  for (const callback of scope.afterCommit) callback();
  return result;
}

/** Calls back when the transaction around this call has committed, never when it rolls back; at once where there is none. */
export function afterCommit(callback: () => void): void {
  const scope = scopes.getStore();
  if (scope?.open) scope.afterCommit.push(callback);
  else callback();
}
