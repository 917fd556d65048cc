/** Names the steps of the portal's work from its database statements: tables changed by a commit, jobs fetched, jobs completed. */

/** A statement as the database driver sends it. */
export type Statement = { readonly text: string; readonly values?: readonly unknown[] | undefined };

/** Collects the statements of one connection since its last commit. */
export type Conversation = {
  /** Returns the step that this statement completes, or undefined if it completes none. */
  hear(statement: Statement): string | undefined;
};

/** Kinds of the fetched jobs by id, across all connections. */
export type KnownJobs = Map<string, string>;

/**
 * Tables that name no step of their own: signing in neither files nor pays, and history, audit entries and ledger lines are always written
 * together with their subject.
 */
const ASIDE = new Set(['sessions', 'attempts', 'audit_heads', 'audit_entries', 'advance_moves', 'ledger_lines']);
const JOB_TABLE = /^(pgboss\.)?(job|job_common|j[0-9a-f]+)$/;

// "for update" and "do update" are not writes of their own and name no table.
const WRITES = /(?<!for |do |no key )\b(?:insert into|update|delete from)\s+(?:only\s+)?((?:"?\w+"?\.)?"?\w+"?)/gi;

export function openConversation(jobs: KnownJobs): Conversation {
  let written: string[] | undefined;
  return {
    hear: ({ text, values = [] }) => {
      const bare = text.trim().toLowerCase();
      if (/^begin\b[^;]*;?$/.test(bare)) {
        written = [];
        return undefined;
      }
      if (/^rollback;?$/.test(bare)) {
        written = undefined;
        return undefined;
      }
      if (/^commit;?$/.test(bare)) {
        const all = written ?? [];
        written = undefined;
        return all.length > 0 ? `commit ${[...new Set(all)].join(' + ')}` : undefined;
      }
      const writes = namesOfWrites(text, values, jobs);
      if (written === undefined) return writes.length > 0 ? `write ${writes.join(' + ')}` : undefined;
      written.push(...writes);
      return undefined;
    },
  };
}

function namesOfWrites(text: string, values: readonly unknown[], jobs: KnownJobs): string[] {
  const tables = [...new Set([...text.matchAll(WRITES)].map(([, table = '']) => table.replaceAll('"', '').toLowerCase()))];
  return tables.flatMap((table) => {
    if (JOB_TABLE.test(table)) return nameOfJobWrite(text, values, jobs);
    return table.startsWith('pgboss.') || ASIDE.has(table) ? [] : [table];
  });
}

/** A job's kind is known when it is inserted; its completion is recognised by its id. Polling for jobs is not a step. */
function nameOfJobWrite(text: string, values: readonly unknown[], jobs: KnownJobs): string[] {
  const said = values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(' ');
  const put = /insert into/i.test(text) ? /\\?"kind\\?":\s*\\?"([\w.]+)\\?"/.exec(said)?.[1] : undefined;
  if (put !== undefined) return isAside(put) ? [] : [`job ${put}`];
  const ended = [...jobs].find(([id]) => said.includes(id))?.[1];
  return ended !== undefined && /completed/i.test(text) ? [`job ${ended} done`] : [];
}

/** Records the ids of fetched jobs and names the step if one of them matters. */
export function nameTakenJobs(rows: readonly unknown[], jobs: KnownJobs): string | undefined {
  const kinds = rows.flatMap((row) => {
    const job = row as { id?: unknown; data?: { kind?: unknown } };
    if (typeof job.id !== 'string' || typeof job.data?.kind !== 'string' || isAside(job.data.kind)) return [];
    jobs.set(job.id, job.data.kind);
    return [job.data.kind];
  });
  return kinds.length > 0 ? `take job ${kinds.join(' + ')}` : undefined;
}

/** Emails, and scheduled jobs that look for their own work. */
function isAside(kind: string): boolean {
  return kind === 'mail.send' || /\.(poll|sweep)$/.test(kind);
}

/** Names a provider call by method and path, without ids. Undefined for health checks and key sets. */
export function nameCall(method: string, url: string): string | undefined {
  const { pathname } = new URL(url);
  if (pathname === '/healthz' || pathname.endsWith('/jwks')) return undefined;
  const path = pathname.replaceAll(/\/(\d{9}|[0-9a-f-]{36}|\d{2}[A-Z][0-9A-Z])(?=\/|$)/g, '/*');
  return `call ${method} ${path}`;
}
