/**
 * Checks a refresh after all the kills: each client has one state with the expected reason, and each client that was read has all its
 * observations.
 */
import type { Db } from '@portal/db/database.ts';
import type { PortfolioSituation } from '@portal/sandbox/portfolio/situations.ts';
import { sql } from '@portal/db/sql.ts';

/** A client in the portfolio, and its id in the portal. */
export type KnownClient = { readonly id: string; readonly situation: PortfolioSituation };

const EXPECTED_REASONS: Readonly<Partial<Record<PortfolioSituation, string>>> = {
  authority_revoked: 'not_authorised',
  never_authorised: 'not_authorised',
  link_sent: 'not_authorised',
  insolvent: 'insolvent',
};

/** The observations stored by a complete refresh of each tax. */
const EXPECTED_KINDS = {
  vat: ['vat_obligations', 'vat_liabilities', 'vat_payments', 'vat_penalties'],
  sa: ['sa_balance', 'sa_obligations'],
} as const;

type SyncRow = {
  readonly client_id: string;
  readonly state: string;
  readonly reason: string | null;
  readonly lease_until: string | null;
  readonly retry_at: string | null;
  readonly kinds: readonly string[] | null;
};

export async function verifySync(db: Db, companyId: string, tax: 'vat' | 'sa', clients: readonly KnownClient[]): Promise<string[]> {
  const { rows: runs } = await db.execute<{ id: string; state: string; total: number; done: number; failed: number }>(sql`
    select id, state, total, done, failed from sync_runs where company_id = ${companyId} and tax = ${tax} order by started_at desc limit 1`);
  const { rows } = await db.execute<SyncRow>(sql`
    select s.client_id, s.state, s.reason, s.lease_until, s.retry_at, (
      select array_to_json(array_agg(distinct o.kind)) from client_observations o
      where o.company_id = s.company_id and o.client_id = s.client_id and o.source = 'hmrc') as kinds
    from client_syncs s where s.company_id = ${companyId} and s.tax = ${tax} and s.run_id = ${runs[0]?.id ?? null}`);
  const [run] = runs;
  if (!run) return ['there is no refresh'];
  const completed = rows.filter(({ state }) => state === 'completed').length;
  const failedCount = rows.filter(({ state }) => state === 'failed').length;
  const rules: [boolean, string][] = [
    [run.state === 'completed', `the refresh ended ${run.state}`],
    [completed + failedCount === rows.length, `${rows.length - completed - failedCount} clients are in an intermediate state`],
    [
      run.total === rows.length && run.done === completed,
      `the refresh counts ${run.done} of ${run.total}, its clients are ${completed} of ${rows.length}`,
    ],
    [run.failed === failedCount, `the refresh counts ${run.failed} failed, its clients are ${failedCount}`],
    [rows.every(({ lease_until }) => lease_until === null), 'a client is still claimed by a worker'],
    [rows.every(({ retry_at }) => retry_at === null), 'a client still waits for a retry'],
  ];
  return [...rules.filter(([isMet]) => !isMet).map(([, sentence]) => sentence), ...verifyClients(tax, clients, rows)];
}

function verifyClients(tax: 'vat' | 'sa', clients: readonly KnownClient[], rows: readonly SyncRow[]): string[] {
  return clients.flatMap(({ id, situation }) => {
    const row = rows.find(({ client_id }) => client_id === id);
    if (!row) return [`a client (${situation}) was not read`];
    const expectedReason = tax === 'vat' ? (EXPECTED_REASONS[situation] ?? null) : row.reason;
    if (row.reason !== expectedReason) return [`a client (${situation}) ended with ${row.reason ?? 'no reason'}`];
    const missingKinds = row.state === 'completed' ? EXPECTED_KINDS[tax].filter((kind) => !row.kinds?.includes(kind)) : [];
    return missingKinds.length > 0 ? [`a client (${situation}) was read without ${missingKinds.join(', ')}`] : [];
  });
}

/** Returns states and reasons by client, to compare with an undisturbed refresh. */
export async function readStates(
  db: Db,
  companyId: string,
  tax: 'vat' | 'sa',
  clients: readonly KnownClient[],
): Promise<Map<string, string>> {
  const { rows } = await db.execute<{ client_id: string; state: string; reason: string | null }>(
    sql`select client_id, state, reason from client_syncs where company_id = ${companyId} and tax = ${tax}`,
  );
  const ids = new Set(clients.map(({ id }) => id));
  return new Map(rows.filter(({ client_id }) => ids.has(client_id)).map((row) => [row.client_id, `${row.state} ${row.reason ?? ''}`]));
}
