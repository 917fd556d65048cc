/**
 * Stores the simulators' documents in named collections, in one SQLite file (in memory for tests). Every change is on disk before the
 * response is sent, so a killed simulator keeps everything it has acknowledged.
 */
import { DatabaseSync } from 'node:sqlite';

/** Documents of one kind by key, as JSON. Reads return copies. */
export type Collection<Document> = {
  get(key: string): Document | undefined;
  put(key: string, document: Document): void;
  delete(key: string): void;
  /** Lists all documents with their keys, in the order in which the keys were first stored. */
  list(): { key: string; document: Document }[];
};

export type SimulatorStore = {
  collection<Document>(name: string): Collection<Document>;
  /** Runs the synchronous function `work` in a transaction. */
  atomically<Result>(work: () => Result): Result;
  /** Deletes everything, for the control page's reset. */
  reset(): void;
  /** For tests: returns a function that restores every document to its current state. */
  save(): () => void;
  close(): void;
};

/** Opens the store in a file, or in memory for ":memory:". A second process can't open the same file. */
export function openSimulatorStore(file: string): SimulatorStore {
  const database = new DatabaseSync(file);
  database.exec(`
    pragma locking_mode = exclusive;
    pragma journal_mode = wal;
    pragma synchronous = normal;
    create table if not exists documents (
      position integer primary key autoincrement,
      collection text not null, key text not null, document text not null,
      unique (collection, key)
    );
  `);
  const get = database.prepare('select document from documents where collection = ? and key = ?');
  const upsert = database.prepare(
    'insert into documents (collection, key, document) values (?, ?, ?) on conflict (collection, key) do update set document = excluded.document',
  );
  const remove = database.prepare('delete from documents where collection = ? and key = ?');
  const list = database.prepare('select key, document from documents where collection = ? order by position');
  let transactionDepth = 0;
  let savepoints = 0;
  return {
    collection: <Document>(name: string): Collection<Document> => ({
      get: (key) => {
        const row = get.get(name, key);
        return row === undefined ? undefined : (JSON.parse(String(row['document'])) as Document);
      },
      put: (key, document) => void upsert.run(name, key, JSON.stringify(document)),
      delete: (key) => void remove.run(name, key),
      list: () =>
        list.all(name).map((row) => ({
          key: String(row['key']),
          document: JSON.parse(String(row['document'])) as Document,
        })),
    }),
    atomically: (work) => {
      if (transactionDepth > 0) return work();
      database.exec('begin immediate');
      transactionDepth += 1;
      try {
        const result = work();
        database.exec('commit');
        return result;
      } catch (error) {
        database.exec('rollback');
        throw error;
      } finally {
        transactionDepth -= 1;
      }
    },
    reset: () => database.exec('delete from documents'),
    save: () => {
      savepoints += 1;
      const name = `saved_${savepoints}`;
      database.exec(`create temporary table ${name} as select * from documents`);
      return () => database.exec(`begin; delete from documents; insert into documents select * from ${name}; commit`);
    },
    close: () => database.close(),
  };
}
