/** Messages between the client and the embedded engine's thread. Functions can't be posted, hence the `dates` flag. */
export type Statement =
  | {
      readonly type: 'query';
      readonly text: string;
      readonly values: readonly unknown[];
      readonly rowMode: 'array' | 'object';
      readonly dates: 'text' | 'date';
    }
  | { readonly type: 'script'; readonly text: string }
  | { readonly type: 'dump' }
  | { readonly type: 'close' };

export type StatementResult = { readonly rows: unknown[]; readonly rowCount: number | null };

export type EngineData = {
  /** A data folder, or `memory://` for tests. */
  readonly storage: string;
  /** A dump of a data folder to start from (for tests). */
  readonly loadFrom?: Blob;
  /** Keeps the plan of every statement, for tests that run a few statements thousands of times. */
  readonly preparesStatements?: boolean;
};

export type SqlErrorFields = { readonly message: string; readonly fields: Readonly<Record<string, unknown>> };

export type Reply =
  | { readonly id: number; readonly ok: true; readonly answer: StatementResult }
  | { readonly id: number; readonly ok: false; readonly error: SqlErrorFields };
