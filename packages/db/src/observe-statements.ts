/**
 * Lets the server trace statements. The text contains placeholders; values are never passed on. A statement is observed where the caller
 * sends it, because inside the pool it would run in the async context of whichever caller returned the connection.
 */
export type StatementObserver = <Result>(text: string, hasParameters: boolean, run: () => Promise<Result>) => Promise<Result>;

let observe: StatementObserver | undefined;

export function observeStatements(observer: StatementObserver): void {
  observe = observer;
}

type RunQuery = (...args: unknown[]) => unknown;

/** Wraps a query function of pg, either a pool's or a transaction client's. */
export function observeQuery(query: RunQuery): RunQuery {
  return (...args) => {
    const [first, values] = args;
    const statement = typeof first === 'string' ? { text: first } : first;
    // The pool passes its own callback to its client, so each statement is observed once.
    if (!observe || !isStatement(statement) || args.some((argument) => typeof argument === 'function')) return query(...args);
    const hasParameters = [values, statement.values].some((list) => Array.isArray(list) && list.length > 0);
    return observe(statement.text, hasParameters, async () => query(...args));
  };
}

function isStatement(config: unknown): config is { readonly text: string; readonly values?: unknown } {
  return typeof config === 'object' && config !== null && 'text' in config && typeof config.text === 'string';
}

/** Observes a statement of the embedded engine. */
export function observeStatement<Result>(text: string, values: readonly unknown[], run: () => Promise<Result>): Promise<Result> {
  return observe ? observe(text, values.length > 0, run) : run();
}
