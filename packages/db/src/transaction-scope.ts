/**
 * Tracks whether a transaction is open in the current async context. Using the outer database inside a transaction waits indefinitely on
 * the embedded engine and silently bypasses the transaction on a pool, so this throws on both. Actions that must wait until rows are
 * visible, such as waking the jobs, run after the commit.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

type Scope = { isOpen: boolean; readonly afterCommit: (() => void)[] };

const scopes = new AsyncLocalStorage<Scope>();

export function isInTransaction(): boolean {
  return scopes.getStore()?.isOpen ?? false;
}

export function assertOutsideTransaction(): void {
  if (isInTransaction()) {
    throw new Error('The outer database was used inside a transaction: pass `tx` to the functions called there.');
  }
}

/** Runs `begin` in a new scope and, if it succeeds, that scope's `afterCommit` callbacks. */
export async function runInTransactionScope<Result>(begin: () => Promise<Result>): Promise<Result> {
  assertOutsideTransaction();
  const scope: Scope = { isOpen: true, afterCommit: [] };
  const result = await scopes.run(scope, begin).finally(() => (scope.isOpen = false));
  for (const callback of scope.afterCommit) callback();
  return result;
}

/** Runs the callback after the surrounding transaction commits, but never after a rollback. Outside a transaction, runs it immediately. */
export function afterCommit(callback: () => void): void {
  const scope = scopes.getStore();
  if (scope?.isOpen) scope.afterCommit.push(callback);
  else callback();
}
