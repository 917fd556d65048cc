/** Names the steps of the portal's work from its database statements: tables changed by a commit, jobs fetched, jobs completed. */

/** A statement as the database driver sends it. */
export type Statement = { readonly text: string; readonly values?: readonly unknown[] | undefined };

/** Collects one connection's statements since its last commit. */
export type StatementTracker = {
  /** Returns the step that this statement completes, or undefined if it doesn't complete one. */
  track(statement: Statement): string | undefined;
};

/** The kinds of fetched jobs by id, across all connections. */
export type JobKinds = Map<string, string>;

/**
 * Tables that don't name a step. Sign-ins neither file nor pay, and history, audit entries, ledger lines and webhooks are always written
 * together with their subject.
 */
const IGNORED_TABLES = new Set([
  'sessions',
  'attempts',
  'audit_heads',
  'audit_entries',
  'advance_transitions',
  'ledger_lines',
  'webhook_deliveries',
]);
const JOB_TABLE = /^(pgboss\.)?(job|job_common|j[0-9a-f]+)$/;

// "for update" and "do update" aren't separate writes and don't name a table.
const WRITE_PATTERN = /(?<!for |do |no key )\b(?:insert into|update|delete from)\s+(?:only\s+)?((?:"?\w+"?\.)?"?\w+"?)/gi;

export function createStatementTracker(jobs: JobKinds): StatementTracker {
  let transactionTables: string[] | undefined;
  return {
    track: ({ text, values = [] }) => {
      const normalised = text.trim().toLowerCase();
      if (/^begin\b[^;]*;?$/.test(normalised)) {
        transactionTables = [];
        return undefined;
      }
      if (/^rollback;?$/.test(normalised)) {
        transactionTables = undefined;
        return undefined;
      }
      if (/^commit;?$/.test(normalised)) {
        const allTables = transactionTables ?? [];
        transactionTables = undefined;
        // In alphabetical order, so that reordering statements within a transaction doesn't rename the step.
        return allTables.length > 0 ? `commit ${[...new Set(allTables)].toSorted().join(' + ')}` : undefined;
      }
      const writes = listWrites(text, values, jobs);
      if (transactionTables === undefined) return writes.length > 0 ? `write ${writes.join(' + ')}` : undefined;
      transactionTables.push(...writes);
      return undefined;
    },
  };
}

function listWrites(text: string, values: readonly unknown[], jobs: JobKinds): string[] {
  const tables = [...new Set([...text.matchAll(WRITE_PATTERN)].map(([, table = '']) => table.replaceAll('"', '').toLowerCase()))];
  return tables.flatMap((table) => {
    if (JOB_TABLE.test(table)) return describeJobWrite(text, values, jobs);
    return table.startsWith('pgboss.') || IGNORED_TABLES.has(table) ? [] : [table];
  });
}

/** A job's kind is known when it is inserted; its completion is recognised by its id. Polling for jobs isn't a step. */
function describeJobWrite(text: string, values: readonly unknown[], jobs: JobKinds): string[] {
  const valuesText = values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(' ');
  const insertedKind = /insert into/i.test(text) ? /\\?"kind\\?":\s*\\?"([\w.]+)\\?"/.exec(valuesText)?.[1] : undefined;
  if (insertedKind !== undefined) return isIgnoredJob(insertedKind) ? [] : [`job ${insertedKind}`];
  const completedKind = [...jobs].find(([id]) => valuesText.includes(id))?.[1];
  return completedKind !== undefined && /completed/i.test(text) ? [`job ${completedKind} done`] : [];
}

/** Records the ids of fetched jobs, and names the step if one of them matters. */
export function describeFetchedJobs(rows: readonly unknown[], jobs: JobKinds): string | undefined {
  const kinds = rows.flatMap((row) => {
    const job = row as { id?: unknown; data?: { kind?: unknown } };
    if (typeof job.id !== 'string' || typeof job.data?.kind !== 'string' || isIgnoredJob(job.data.kind)) return [];
    jobs.set(job.id, job.data.kind);
    return [job.data.kind];
  });
  return kinds.length > 0 ? `take job ${kinds.join(' + ')}` : undefined;
}

/** Returns true for an email, or for a scheduled job that finds its own work. */
function isIgnoredJob(kind: string): boolean {
  return kind === 'mail.send' || /\.(poll|sweep)$/.test(kind);
}

/** Names a provider call by method and path, without ids. Undefined for health checks and key sets. */
export function describeCall(method: string, url: string): string | undefined {
  const { pathname } = new URL(url);
  if (pathname === '/healthz' || pathname.endsWith('/jwks')) return undefined;
  const path = pathname.replaceAll(/\/(\d{9}|[0-9a-f-]{36}|\d{2}[A-Z][0-9A-Z])(?=\/|$)/g, '/*');
  return `call ${method} ${path}`;
}
