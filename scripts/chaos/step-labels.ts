/** Names the steps of the work by what the database is told: which tables a commit changes, which job is taken, which is done. */

/** A statement as the drivers send it. */
export type Statement = { readonly text: string; readonly values?: readonly unknown[] | undefined };

/** What one connection has been told since its last commit. */
export type Conversation = {
  /** The step that this statement completes, once it has run; undefined where it completes none. */
  hear(statement: Statement): string | undefined;
};

/** The kinds of the jobs that are known, by id, over all connections. */
export type KnownJobs = Map<string, string>;

/** Sign-in neither files nor pays; history, audit and a posting's lines are never written without what they tell of. */
const ASIDE = new Set(['sessions', 'attempts', 'audit_heads', 'audit_entries', 'advance_moves', 'ledger_lines']);
const JOB_TABLE = /^(pgboss\.)?(job|job_common|j[0-9a-f]+)$/;

// "for update" and "do update" lock and resolve; they name no table.
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

/** A job is put in with its kind, and ended by its id; how often it was looked for is nobody's step. */
function nameOfJobWrite(text: string, values: readonly unknown[], jobs: KnownJobs): string[] {
  const said = values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(' ');
  const put = /insert into/i.test(text) ? /\\?"kind\\?":\s*\\?"([\w.]+)\\?"/.exec(said)?.[1] : undefined;
  if (put !== undefined) return isAside(put) ? [] : [`job ${put}`];
  const ended = [...jobs].find(([id]) => said.includes(id))?.[1];
  return ended !== undefined && /completed/i.test(text) ? [`job ${ended} done`] : [];
}

/** The jobs that a fetch has handed out: notes their ids, and names the step where one of them files or pays. */
export function nameTakenJobs(rows: readonly unknown[], jobs: KnownJobs): string | undefined {
  const kinds = rows.flatMap((row) => {
    const job = row as { id?: unknown; data?: { kind?: unknown } };
    if (typeof job.id !== 'string' || typeof job.data?.kind !== 'string' || isAside(job.data.kind)) return [];
    jobs.set(job.id, job.data.kind);
    return [job.data.kind];
  });
  return kinds.length > 0 ? `take job ${kinds.join(' + ')}` : undefined;
}

/** The post, and what runs by the clock and finds its work by itself. */
function isAside(kind: string): boolean {
  return kind === 'mail.send' || /\.(poll|sweep)$/.test(kind);
}

/** A provider's call by its method and path, ids left out; undefined for a look at the doubles' health. */
export function nameCall(method: string, url: string): string | undefined {
  const { pathname } = new URL(url);
  if (pathname === '/healthz' || pathname.endsWith('/jwks')) return undefined;
  const path = pathname.replaceAll(/\/(\d{9}|[0-9a-f-]{36}|\d{2}[A-Z][0-9A-Z])(?=\/|$)/g, '/*');
  return `call ${method} ${path}`;
}
