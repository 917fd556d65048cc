/**
 * Adds thousands of advances in every state, with their companies, payouts, credits and ledger, directly to the database. The same seed
 * gives the same work queue, for benchmarks and for viewing. A running portal treats them like any other advances but doesn't pay any: they
 * lack the portal's seals (docs/decisions/0072-sealed-payouts.md), so the approved ones return to review.
 */
import type { Database } from '@portal/db/database.ts';
import type { AdvanceState } from '@portal/domain/advances/advance-states.ts';
import { addMilliseconds, toLondonDate, type Instant } from '@portal/domain/clock.ts';
import { pence } from '@portal/domain/money.ts';
import { addDays } from '@portal/domain/plain-date.ts';

import {
  addAdvanceRow,
  addMoney,
  addReturn,
  addTransitions,
  DAY_MS,
  HOUR_MS,
  PATHS,
  push,
  toUuid,
  type Company,
  type AdvanceRowOptions,
  type TableRow,
  type Story,
  type Tables,
} from './add-advance-rows.ts';

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

/** Share of each state in percent: a work queue of 500 advances a day, a third of them still with HMRC. */
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

/** Generates numbers between 0 and 1 that depend only on the seed (mulberry32, a public-domain generator). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = Math.trunc(state + 0x6d2b79f5);
    let mixedState = Math.imul(state ^ (state >>> 15), 1 | state);
    mixedState = (mixedState + Math.imul(mixedState ^ (mixedState >>> 7), 61 | mixedState)) ^ mixedState;
    return ((mixedState ^ (mixedState >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Adds the advances. Returns the number of rows in each table. */
export async function addAdvances(database: Database, options: AdvanceRowOptions): Promise<Record<string, number>> {
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

async function insertRows({ executeSql }: Database, table: string, rows: readonly TableRow[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).join(', ');
  // A posting's lines must balance at commit, so they aren't split.
  const size = table === 'ledger_lines' ? rows.length : BATCH_SIZE;
  for (let from = 0; from < rows.length; from += size) {
    const batch = JSON.stringify(rows.slice(from, from + size));
    await executeSql(`insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1::jsonb)`, [
      batch,
    ]);
  }
}

function addCompany(tables: Tables, { now, seed }: AdvanceRowOptions, place: number, random: () => number): Company {
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
  const totalShare = STATES.reduce((sum, [, share]) => sum + share, 0);
  let remaining = random() * totalShare;
  return STATES.find(([, share]) => (remaining -= share) < 0)?.[0] ?? 'settled';
}

/** Picks the age of the quote in hours, to give each state a plausible age. */
function pickAge(state: AdvanceState, random: () => number): number {
  if (['quoted', 'in_review', 'approved', 'paying', 'payout_failed'].includes(state)) return 1 + random() * 25;
  if (state === 'awaiting_hmrc') return 24 + random() * 31 * 24;
  return 35 * 24 + random() * 60 * 24;
}

function addAdvance(tables: Tables, options: AdvanceRowOptions, company: Company, place: number, random: () => number): void {
  const { now, seed } = options;
  const state = pickState(random);
  const id = toUuid(`advance ${seed} ${place}`);
  // Mostly a few thousand pounds, occasionally more than £25,000.
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
  const periodEnd = addDays(toLondonDate(now), -7 - 91 * company.advances);
  company.advances += 1;
  addReturn(tables, story, periodEnd, place);
  addAdvanceRow(tables, story, periodEnd, random);
  addTransitions(tables, options, story, random);
  addMoney(tables, options, story, random);
}

function toEntries(state: AdvanceState, quotedAt: Instant, now: Instant, random: () => number): Story['entered'] {
  const entryTimes: Partial<Record<AdvanceState, Instant>> = {};
  let at = quotedAt;
  for (const next of PATHS[state] ?? []) {
    const isLong = next === 'repaid' || next === 'shortfall';
    const hours = isLong ? (5 + random() * 24) * 24 : next === 'paying' ? random() * 26 : next === 'collecting' ? 48 : random() * 0.4;
    const latestTime = addMilliseconds(now, -60_000);
    const requestedTime = addMilliseconds(at, hours * HOUR_MS);
    at = requestedTime < latestTime ? requestedTime : latestTime;
    entryTimes[next] = at;
  }
  return entryTimes;
}
