/**
 * A database whose connection is lost at chosen commits. Before a commit, the transaction is rolled back; after it, the work is stored. The
 * caller gets the same error in both cases.
 */
import type { Database, Db } from '@portal/db/database.ts';

export type Drop = 'before_commit' | 'after_commit';

export type Connections = {
  /** Drops the connection at the commit after `skippedCount` others. */
  dropAt(drop: Drop, skippedCount: number): void;
  /** Keeps every connection open from now on. */
  heal(): void;
};

export type DroppableDatabase = Connections & { readonly database: Database };

export function makeDroppable(database: Database): DroppableDatabase {
  let plannedDrop: { readonly drop: Drop; skipped: number } | undefined;
  const consumeDrop = (): Drop | undefined => {
    if (!plannedDrop || plannedDrop.skipped-- > 0) return undefined;
    const { drop } = plannedDrop;
    plannedDrop = undefined;
    return drop;
  };
  const db = Object.create(database.db) as Db;
  const transaction = database.db.transaction.bind(database.db) as Db['transaction'];
  db.transaction = async (work, config) => {
    let drop: Drop | undefined;
    const result = await transaction(async (tx) => {
      const value = await work(tx);
      drop = consumeDrop();
      if (drop === 'before_commit') throw new ConnectionLostError();
      return value;
    }, config);
    if (drop === 'after_commit') throw new ConnectionLostError();
    return result;
  };
  return {
    database: { ...database, db },
    dropAt: (drop, skippedCount) => {
      plannedDrop = { drop, skipped: skippedCount };
    },
    heal: () => {
      plannedDrop = undefined;
    },
  };
}

/** The error reported by pg. */
class ConnectionLostError extends Error {
  constructor() {
    super('Connection terminated unexpectedly');
  }
}
