/** One trader with one or two refunds, from the filed return to the end of their advances, and the related database content. */
import type { ADVANCE_STATES } from '@portal/domain/advances/advance-states.ts';
import type { DirectDebitStatus, MandateStatus } from '@portal/domain/shortfalls/direct-debit.ts';
import type { ShortfallStatus } from '@portal/domain/shortfalls/shortfall-status.ts';
import type { FilingState } from '@portal/domain/vat-returns/return-state.ts';
import { sql } from '@portal/db/sql.ts';
import { createBrowser, uploadBooks, type Browser, type Trader } from '../../../apps/server/src/testing/test-trader.ts';
import { pick, type RandomSource } from '../random.ts';
import { openCoverage, type Coverage } from './coverage.ts';
import type { ModelTestBed } from './model-test-bed.ts';

export type Sequence = {
  readonly testBed: ModelTestBed;
  readonly random: RandomSource;
  readonly trader: Trader;
  /** The trader's session on each instance. */
  readonly sessions: readonly [Browser, Browser];
  readonly refundPence: number;
  /** The bank's IDs of payments that someone made in its console. */
  readonly consolePayments: Set<string>;
  /** The events, for the report. */
  readonly steps: string[];
  readonly coverage: Coverage;
};

/** Refunds that are released automatically, by one operator, and by two. */
const AMOUNTS_POUNDS = [1_000, 4_000, 9_000, 12_000, 26_000, 45_000];

/** Opens a sequence whose trader uploads books with a random refund. */
export async function openNewSequence(testBed: ModelTestBed, random: RandomSource): Promise<Sequence> {
  const pounds = pick(random, AMOUNTS_POUNDS) + Math.floor(random() * 900);
  await uploadBooks(testBed.trader, pounds);
  return openSequence(testBed, random, pounds);
}

/** Opens a sequence from the test bed's current state. */
export function openSequence(testBed: ModelTestBed, random: RandomSource, pounds: number): Sequence {
  const { trader } = testBed;
  return {
    testBed,
    random,
    trader,
    sessions: [createBrowser(testBed.instances[0], trader.cookie), createBrowser(testBed.instances[1], trader.cookie)],
    refundPence: pounds * 100,
    consolePayments: new Set(),
    steps: [],
    coverage: openCoverage(testBed.portal.faults),
  };
}

export type ViewedAdvance = {
  readonly id: string;
  readonly obligation_id: string;
  readonly state: (typeof ADVANCE_STATES)[number];
  readonly refund_pence: number;
  readonly net_pence: number;
  /** The amount that neither HMRC nor the trader has repaid yet. */
  readonly outstanding_pence: number;
  /** The amount written off and not recovered. */
  readonly written_off_pence: number;
  readonly collection_confirmed_at: string | null;
  readonly facts_read_at: string | null;
  readonly payout_hold: string | null;
  readonly mandate_required: boolean;
};
export type ViewedCase = {
  readonly id: string;
  readonly advance_id: string;
  readonly status: ShortfallStatus;
  readonly reference: string;
  readonly owner_id: string | null;
  readonly has_plan: boolean;
};
export type ViewedDebit = {
  readonly id: string;
  readonly shortfall_id: string;
  readonly status: DirectDebitStatus;
  readonly amount_pence: number;
  readonly provider_payment_id: string | null;
};
export type ViewedCredit = {
  readonly id: string;
  readonly amount_pence: number;
  readonly remitter: string;
  readonly returned_at: string | null;
};
export type ViewedConsolePayout = { readonly amount_pence: number; readonly resolution: string | null };
export type ViewedAccount = { readonly account_holder: string; readonly sort_code: string; readonly account_number: string };

type ViewRow = {
  /** Newest first. */
  readonly advances: readonly ViewedAdvance[];
  readonly account: ViewedAccount | null;
  readonly orders: readonly { readonly id: string; readonly advance_id: string | null; readonly amount_pence: number }[];
  readonly credits: readonly ViewedCredit[];
  readonly consolePayouts: readonly ViewedConsolePayout[];
  readonly filing: FilingState | null;
  readonly is_connected: boolean;
  readonly cases: readonly ViewedCase[];
  readonly mandates: readonly { readonly status: MandateStatus; readonly provider_mandate_id: string | null }[];
  readonly debits: readonly ViewedDebit[];
  /** The number of requests waiting for a second operator. */
  readonly open_requests: number;
  readonly queued_jobs: number;
};

export type SequenceView = Awaited<ReturnType<typeof readSequence>>;

export async function readSequence({ testBed, trader: { companyId } }: Sequence) {
  const { portal } = testBed;
  const { rows } = await portal.deps.database.db.execute<ViewRow>(sql`select
    coalesce((select json_agg(to_json(a) order by a.quoted_at desc) from (
      select id, obligation_id, state, refund_pence, net_pence, collection_confirmed_at, facts_read_at, payout_hold, mandate_required, quoted_at,
        refund_pence
          - coalesce((select sum(amount_pence) from credit_allocations c
              where c.company_id = advances.company_id and c.advance_id = advances.id and c.reversed_at is null), 0)
          - coalesce((select sum(amount_pence) from shortfall_recoveries r
              where r.company_id = advances.company_id and r.advance_id = advances.id), 0) as outstanding_pence,
        coalesce((select sum(amount_pence) from shortfall_recoveries r
              where r.company_id = advances.company_id and r.advance_id = advances.id and r.source = 'write_off'), 0) as written_off_pence
      from advances where company_id = ${companyId}) a), '[]') as advances,
    (select to_json(c) from collection_accounts c where company_id = ${companyId}) as account,
    coalesce((select json_agg(to_json(p)) from payouts p where company_id = ${companyId}), '[]') as orders,
    coalesce((select json_agg(to_json(c) order by c.received_at) from bank_credits c where company_id = ${companyId}), '[]') as credits,
    coalesce((select json_agg(to_json(c)) from collection_payouts c where company_id = ${companyId}), '[]') as "consolePayouts",
    (select state from filings where company_id = ${companyId} order by sent_at desc limit 1) as filing,
    exists (select from hmrc_connections where company_id = ${companyId} and status = 'connected') as is_connected,
    coalesce((select json_agg(json_build_object('id', id, 'advance_id', advance_id, 'status', status, 'reference', reference, 'owner_id', owner_id,
      'has_plan', plan_started_from_pence is not null) order by opened_at) from shortfalls where company_id = ${companyId}), '[]') as cases,
    coalesce((select json_agg(to_json(m) order by m.requested_at) from mandates m where company_id = ${companyId}), '[]') as mandates,
    coalesce((select json_agg(to_json(d) order by d.created_at) from direct_debits d where company_id = ${companyId}), '[]') as debits,
    (select count(*)::int from approval_requests where company_id = ${companyId} and decided_at is null) as open_requests,
    (select count(*)::int from pgboss.job where state < 'active' and name in ('portal', 'portal-urgent')) as queued_jobs`);
  const [row] = rows;
  if (!row) throw new Error('the view has no row');
  const orderIds = new Set(row.orders.map(({ id }) => id));
  const [advance] = row.advances;
  return {
    ...row,
    /** The newest advance. */
    advance,
    account: row.account ?? undefined,
    payoutsAtBank: portal.bank.listPayouts().filter(({ idempotency_key }) => orderIds.has(idempotency_key)),
    now: portal.deps.clock.now(),
  };
}

/** The sender of money that is neither HMRC's nor the trader's. */
export const UNKNOWN_SENDER = 'A Stranger Ltd';

/** Lists the credits to the trader's collection account at the bank. A returned payment ends that payment, and isn't a credit. */
export function listArrivedCredits({ testBed }: Sequence, account: Pick<ViewedAccount, 'sort_code' | 'account_number'>) {
  return testBed.portal.bank
    .listCredits()
    .filter(({ sort_code, account_number }) => sort_code === account.sort_code && account_number === account.account_number)
    .filter(({ return_for: returnedId }) => returnedId === undefined);
}

/** Pays money into the trader's collection account. */
export function payIn(
  { testBed, trader }: Sequence,
  account: ViewedAccount,
  amountPence: number,
  { remitterName = 'HMRC VAT', reference = trader.vrn, currency = 'GBP' } = {},
): void {
  const { sort_code: sortCode, account_number: accountNumber } = account;
  testBed.portal.bank.creditAccount({ sortCode, accountNumber, amountPence, currency, remitterName, reference });
}
