/**
 * Thousands of advances in every state, with their companies, payouts, credits and ledger, written directly to the database. The same seed
 * gives the same desk, for measuring and for looking at it. A running portal treats them like any other advance.
 */
import { createHash } from 'node:crypto';
import type { Database } from '@portal/db/database.ts';
import type { AdvanceState } from '@portal/domain/advances/advance-states.ts';
import { getAdvanceTerms } from '@portal/domain/advances/advance-terms.ts';
import { evaluateEligibility } from '@portal/domain/advances/evaluate-eligibility.ts';
import { addMilliseconds, londonDate, type Instant } from '@portal/domain/clock.ts';
import { postCredit, postMatchedCredit, postPayout, postShortfall, type LedgerLine } from '@portal/domain/ledger/ledger.ts';
import { pence, type Pence } from '@portal/domain/money.ts';
import { addDays, type PlainDate } from '@portal/domain/plain-date.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const FIRST =
  'Kestrel,Sandpiper,Harbour,Beacon,Thistle,Foxglove,Quarry,Larch,Anvil,Copper,Marlow,Severn,Pennine,Calder,Ashdown,Tamar,Wharf,Linden,Orchard,Granite,Fulmar,Heron,Juniper,Kelso,Lomond,Mendip,Northgate,Oakham,Pembroke,Ribble'.split(
    ',',
  );
const SECOND =
  'Textiles,Seafood,Joinery,Exports,Engineering,Bakery,Ceramics,Logistics,Farms,Printing,Bicycles,Brewing,Metals,Studios,Instruments,Timber,Roofing,Glass,Foods,Machinery'.split(
    ',',
  );
const PEOPLE = 'Asha Patel,Ben Okafor,Carys Rhys,Dele Adeyemi,Eilidh Ross,Fergus Hale,Grace Lin,Harun Aziz,Isla Mackay,Jonah Price'.split(
  ',',
);

/** Shares of the states in percent: a desk of 500 advances a day, a third still with HMRC. */
const STATES: readonly (readonly [AdvanceState, number])[] = [
  ['quoted', 6],
  ['in_review', 4],
  ['approved', 4],
  ['paying', 1],
  ['payout_failed', 0.3],
  ['awaiting_hmrc', 33],
  ['shortfall', 0.8],
  ['collecting', 0.6],
  ['settled', 45],
  ['withdrawn', 2],
  ['declined', 2],
  ['written_off', 0.3],
  ['expired', 1],
];

const PATHS: Readonly<Partial<Record<AdvanceState, readonly AdvanceState[]>>> = {
  quoted: [],
  expired: ['expired'],
  withdrawn: ['withdrawn'],
  in_review: ['accepted', 'in_review'],
  declined: ['accepted', 'in_review', 'declined'],
  approved: ['accepted', 'in_review', 'approved'],
  paying: ['accepted', 'in_review', 'approved', 'paying'],
  payout_failed: ['accepted', 'in_review', 'approved', 'paying', 'payout_failed'],
  awaiting_hmrc: ['accepted', 'in_review', 'approved', 'paying', 'paid', 'awaiting_hmrc'],
  settled: ['accepted', 'in_review', 'approved', 'paying', 'paid', 'awaiting_hmrc', 'repaid', 'settled'],
  shortfall: ['accepted', 'in_review', 'approved', 'paying', 'paid', 'awaiting_hmrc', 'shortfall'],
  collecting: ['accepted', 'in_review', 'approved', 'paying', 'paid', 'awaiting_hmrc', 'shortfall', 'collecting'],
  written_off: ['accepted', 'in_review', 'approved', 'paying', 'paid', 'awaiting_hmrc', 'shortfall', 'collecting', 'written_off'],
};

type Row = Record<string, unknown>;
type Tables = Record<string, Row[]>;
type Options = { readonly count: number; readonly seed: number; readonly now: Instant; readonly operatorIds: readonly string[] };

/** Numbers from 0 to 1 that depend only on the seed (mulberry32, a public-domain generator). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = Math.trunc(state + 0x6d2b79f5);
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function toUuid(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Adds the advances. Returns how many there are of each table. */
export async function addAdvances(database: Database, options: Options): Promise<Record<string, number>> {
  const tables: Tables = {};
  const random = createRandom(options.seed);
  const companyCount = Math.max(1, Math.round(options.count * 0.55));
  const companies = Array.from({ length: companyCount }, (_, place) => addCompany(tables, options, place, random));
  for (let place = 0; place < options.count; place += 1) {
    const company = companies[Math.floor(random() * companies.length)];
    if (company) addAdvance(tables, options, company, place, random);
  }
  for (const [table, rows] of Object.entries(tables)) await insertRows(database, table, rows);
  await database.executeSql('analyze');
  return Object.fromEntries(Object.entries(tables).map(([table, rows]) => [table, rows.length]));
}

const BATCH_SIZE = 1_000;

async function insertRows({ executeSql }: Database, table: string, rows: readonly Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).join(', ');
  // The lines of a posting must balance at commit, so they aren't split.
  const size = table === 'ledger_lines' ? rows.length : BATCH_SIZE;
  for (let from = 0; from < rows.length; from += size) {
    const batch = JSON.stringify(rows.slice(from, from + size));
    await executeSql(`insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1::jsonb)`, [
      batch,
    ]);
  }
}

const push = (tables: Tables, table: string, row: Row): void => void (tables[table] ??= []).push(row);

type Company = { readonly id: string; readonly name: string; readonly ownerId: string; readonly bankAccountId: string; advances: number };

function addCompany(tables: Tables, { now, seed }: Options, place: number, random: () => number): Company {
  const pick = (words: readonly string[]): string => words[Math.floor(random() * words.length)] ?? '';
  const id = toUuid(`company ${seed} ${place}`);
  const ownerId = toUuid(`owner ${seed} ${place}`);
  const bankAccountId = toUuid(`bank ${seed} ${place}`);
  const name = `${pick(FIRST)} ${pick(SECOND)}${place % 7 === 0 ? ` (${pick(['Leeds', 'Bristol', 'Fife', 'Cardiff', 'Kent'])})` : ''} Ltd`;
  const createdAt = addMilliseconds(now, -(60 + random() * 300) * DAY_MS);
  const sortCode = '040004';
  push(tables, 'users', {
    id: ownerId,
    email: `owner${place}@desk${seed}.example`,
    full_name: pick(PEOPLE),
    is_operator: false,
    partner: 'organic',
    product: 'instant_vat',
    created_at: createdAt,
    email_verified_at: createdAt,
  });
  push(tables, 'companies', {
    id,
    kind: 'trader',
    name,
    vrn: String(100_000_000 + place * 7 + seed),
    company_number: String(10_000_000 + place),
    partner: 'organic',
    created_at: createdAt,
  });
  push(tables, 'memberships', { company_id: id, user_id: ownerId, role: 'trader_owner', created_at: createdAt });
  push(tables, 'bank_accounts', {
    company_id: id,
    id: bankAccountId,
    account_holder: name,
    sort_code: sortCode,
    account_number: String(30_000_000 + place),
    created_at: createdAt,
  });
  push(tables, 'collection_accounts', {
    company_id: id,
    provider_account_id: `generated-${seed}-${place}`,
    account_holder: name,
    sort_code: sortCode,
    account_number: String(70_000_000 + place),
    opened_at: createdAt,
  });
  return { id, name, ownerId, bankAccountId, advances: 0 };
}

function pickState(random: () => number): AdvanceState {
  const all = STATES.reduce((sum, [, share]) => sum + share, 0);
  let left = random() * all;
  return STATES.find(([, share]) => (left -= share) < 0)?.[0] ?? 'settled';
}

/** How long ago the quote was made, in hours, for a plausible age of each state. */
function pickAge(state: AdvanceState, random: () => number): number {
  if (['quoted', 'in_review', 'approved', 'paying', 'payout_failed'].includes(state)) return 1 + random() * 25;
  if (state === 'awaiting_hmrc') return 24 + random() * 31 * 24;
  return 35 * 24 + random() * 60 * 24;
}

type Story = {
  readonly id: string;
  readonly company: Company;
  readonly state: AdvanceState;
  readonly refund: Pence;
  readonly fee: Pence;
  readonly net: Pence;
  readonly quotedAt: Instant;
  /** When each state of the path was entered. */
  readonly entered: Readonly<Partial<Record<AdvanceState, Instant>>>;
};

function addAdvance(tables: Tables, options: Options, company: Company, place: number, random: () => number): void {
  const { now, seed } = options;
  const state = pickState(random);
  const id = toUuid(`advance ${seed} ${place}`);
  // Mostly a few thousand pounds, now and then more than £25,000.
  const refund = pence(Math.round(Math.exp(Math.log(4_500_00) + (random() + random() + random() - 1.5) * 2.1)));
  const fee = pence(Math.max(5_00, Math.round(refund / 100)));
  const quotedAt = addMilliseconds(now, -pickAge(state, random) * HOUR_MS);
  const story: Story = {
    id,
    company,
    state,
    refund,
    fee,
    net: pence(refund - fee),
    quotedAt,
    entered: toEntries(state, quotedAt, now, random),
  };
  const periodEnd = addDays(londonDate(now), -7 - 91 * company.advances);
  company.advances += 1;
  addReturn(tables, story, periodEnd, place);
  addAdvanceRow(tables, story, periodEnd, random);
  addTransitions(tables, options, story, random);
  addMoney(tables, options, story, random);
}

function toEntries(state: AdvanceState, quotedAt: Instant, now: Instant, random: () => number): Story['entered'] {
  const entered: Partial<Record<AdvanceState, Instant>> = {};
  let at = quotedAt;
  for (const next of PATHS[state] ?? []) {
    const isLong = next === 'repaid' || next === 'shortfall';
    const hours = isLong ? (5 + random() * 24) * 24 : next === 'paying' ? random() * 26 : next === 'collecting' ? 48 : random() * 0.4;
    const latest = addMilliseconds(now, -60_000);
    const wanted = addMilliseconds(at, hours * HOUR_MS);
    at = wanted < latest ? wanted : latest;
    entered[next] = at;
  }
  return entered;
}

function addReturn(tables: Tables, { id, company, refund, quotedAt }: Story, periodEnd: PlainDate, place: number): void {
  const obligation = toUuid(`obligation ${id}`);
  push(tables, 'obligations', {
    company_id: company.id,
    id: obligation,
    period_key: `G${place}`,
    period_start: addDays(periodEnd, -91),
    period_end: periodEnd,
    due_on: addDays(periodEnd, 37),
    status: 'fulfilled',
    received_on: londonDate(quotedAt),
  });
  const boxes = {
    box1_pence: 0,
    box2_pence: 0,
    box4_pence: refund,
    box6_pounds: 0,
    box7_pounds: Math.round(refund / 20),
    box8_pounds: 0,
    box9_pounds: 0,
  };
  push(tables, 'filings', {
    company_id: company.id,
    id: toUuid(`filing ${id}`),
    obligation_id: obligation,
    state: 'accepted',
    boxes,
    figures_version: 'generated',
    file_id: toUuid(`file ${id}`),
    declaration: 'Generated',
    filed_by: company.ownerId,
    fraud_headers: {},
    receipt_source: 'response',
    instance_id: 'generated',
    call_deadline_at: quotedAt,
    sent_at: quotedAt,
    settled_at: quotedAt,
  });
}

function addAdvanceRow(tables: Tables, story: Story, periodEnd: PlainDate, random: () => number): void {
  const { id, company, state, refund, fee, net, quotedAt, entered } = story;
  const today = londonDate(quotedAt);
  const terms = getAdvanceTerms(today);
  const wasReviewed = state === 'in_review' || state === 'declined' || random() < 0.25;
  const rules = evaluateEligibility(
    {
      refund,
      filing: { accepted: true, readBack: false },
      atHmrc: { receivedOn: today },
      hmrcConnected: true,
      overdueReturns: [],
      vatDebt: pence(0),
      pastRefunds: wasReviewed ? [] : [refund],
      registeredOn: addDays(today, -2_000),
      insolvent: false,
      bankAccountKnown: true,
      companyExposure: pence(0),
      totalExposure: pence(0),
      figuresAsOf: quotedAt,
      register: { status: 'active', type: 'ltd', isInsolvent: false },
      identity: 'passed',
    },
    terms,
    today,
  );
  const acceptedAt = entered.accepted ?? null;
  const updatedAt = Object.values(entered).at(-1) ?? quotedAt;
  const isConfirmed = state !== 'in_review' && (state !== 'approved' || random() < 0.6);
  push(tables, 'advances', {
    company_id: company.id,
    id,
    obligation_id: toUuid(`obligation ${id}`),
    period_start: addDays(periodEnd, -91),
    period_end: periodEnd,
    filing_id: toUuid(`filing ${id}`),
    filed_on: londonDate(quotedAt),
    state,
    version: 1,
    refund_pence: refund,
    fee_pence: fee,
    fee_rate_bps: 100,
    net_pence: net,
    eligible: true,
    rules,
    agreement_text: 'Generated agreement',
    agreement_hash: 'generated',
    quoted_at: quotedAt,
    valid_until: addMilliseconds(quotedAt, 7 * DAY_MS),
    accepted_at: acceptedAt,
    accepted_by: acceptedAt && company.ownerId,
    bank_account_id: entered.paying ? company.bankAccountId : null,
    collection_confirmed_at: acceptedAt && isConfirmed ? acceptedAt : null,
    payout_hold: state === 'approved' && random() < 0.05 ? 'HMRC’s figures no longer show this refund.' : null,
    paid_at: entered.paid ?? null,
    repaid_at: entered.repaid ?? entered.shortfall ?? null,
    updated_at: updatedAt,
  });
}

function addTransitions(
  tables: Tables,
  { operatorIds, now }: Options,
  { id, company, state, entered, quotedAt }: Story,
  random: () => number,
): void {
  let from: AdvanceState = 'quoted';
  const base = { company_id: company.id, advance_id: id };
  push(tables, 'advance_transitions', {
    ...base,
    sequence: 1,
    from_state: null,
    to_state: 'quoted',
    at: quotedAt,
    actor: 'rules',
    reason: 'Quoted.',
  });
  for (const [index, to] of (PATHS[state] ?? []).entries()) {
    const actor = to === 'accepted' || to === 'withdrawn' ? company.ownerId : 'rules';
    push(tables, 'advance_transitions', {
      ...base,
      sequence: index + 2,
      from_state: from,
      to_state: to,
      at: entered[to] ?? quotedAt,
      actor,
      reason: 'Generated.',
    });
    from = to;
  }
  const operatorId = operatorIds[Math.floor(random() * operatorIds.length)];
  if (operatorId === undefined || !['in_review', 'approved', 'payout_failed', 'shortfall', 'collecting'].includes(state)) return;
  if (random() < 0.5) push(tables, 'advance_assignments', { ...base, operator_id: operatorId, assigned_by: operatorId, assigned_at: now });
}

function addMoney(tables: Tables, { now }: Options, story: Story, random: () => number): void {
  const { id, company, state, refund, fee, net, entered } = story;
  const payoutId = toUuid(`payout ${id}`);
  const { paying, paid } = entered;
  if (!paying) return;
  const status = state === 'payout_failed' ? 'failed' : paid ? 'executed' : 'submitted';
  push(tables, 'payouts', {
    company_id: company.id,
    id: payoutId,
    advance_id: id,
    round: 1,
    status,
    amount_pence: net,
    account_holder: company.name,
    sort_code: '040004',
    account_number: '30000000',
    reference: 'VAT REFUND',
    provider_payout_id: payoutId,
    failure: status === 'failed' ? 'beneficiary_account_closed' : null,
    created_at: paying,
    unknown_attempts: 0,
    submitted_at: paying,
    settled_at: paid ?? null,
  });
  if (!paid) return;
  addPosting(tables, story, `payout:${payoutId}`, 'Payout', paid, postPayout({ refund, fee, net }));
  const back = entered.repaid ?? entered.shortfall;
  // Now and then HMRC has paid a part and the rest is still awaited.
  if (!back) return;
  const received = entered.repaid ? refund : pence(Math.round(refund * (0.3 + random() * 0.5)));
  push(tables, 'bank_credits', {
    company_id: company.id,
    id: toUuid(`credit ${id}`),
    provider_transaction_id: `generated-${id}`,
    amount_pence: received,
    remitter: 'HMRC VAT',
    reference: 'VAT REPAYMENT',
    received_at: back < now ? back : now,
    currency: 'GBP',
  });
  push(tables, 'credit_allocations', {
    company_id: company.id,
    id: toUuid(`allocation ${id}`),
    credit_id: toUuid(`credit ${id}`),
    advance_id: id,
    amount_pence: received,
    at: back,
    by: 'bank',
  });
  const allocationId = toUuid(`allocation ${id}`);
  addPosting(tables, story, `credit:generated-${id}`, 'Payment from HMRC', back, postCredit(received));
  addPosting(tables, story, `allocation:${allocationId}`, 'HMRC repayment', back, postMatchedCredit(received, 'refunds_receivable'));
  if (received < refund) addPosting(tables, story, `shortfall:${allocationId}`, 'Shortfall', back, postShortfall(pence(refund - received)));
}

function addPosting(tables: Tables, { company }: Story, key: string, description: string, at: Instant, lines: readonly LedgerLine[]): void {
  const id = toUuid(`posting ${key}`);
  push(tables, 'ledger_postings', {
    company_id: company.id,
    id,
    idempotency_key: key,
    description,
    on_date: londonDate(at),
    posted_at: at,
  });
  for (const { account, amount } of lines)
    push(tables, 'ledger_lines', { company_id: company.id, posting_id: id, account, amount_pence: amount });
}
