/** One trader with one refund, from the filed return to the end of its advance, and what the database knows of it. */
import { advances, bankCredits, collectionAccounts, creditAllocations, filings, payouts } from '@portal/db/schema/schema.ts';
import { and, desc, eq, isNull } from 'drizzle-orm';
import { browser, connectedTrader, type Browser, type Trader } from '../../../apps/server/src/testing/test-trader.ts';
import type { RandomSource } from '../random.ts';
import type { ModelTestBed } from './model-test-bed.ts';

export type Sequence = {
  readonly testBed: ModelTestBed;
  readonly random: RandomSource;
  readonly trader: Trader;
  /** The trader's session on each instance. */
  readonly sessions: readonly [Browser, Browser];
  /** The refund; each sequence of a test bed has its own amount. */
  readonly refundPence: number;
  /** What happened, for the report. */
  readonly steps: string[];
};

/** Refunds that rules release, that one operator releases and that two release. */
const AMOUNTS_POUNDS = [1_000, 4_000, 9_000, 12_000, 26_000, 45_000];

export async function openSequence(testBed: ModelTestBed, random: RandomSource, number: number): Promise<Sequence> {
  const pounds = (AMOUNTS_POUNDS[Math.floor(random() * AMOUNTS_POUNDS.length)] ?? 4_000) + (number % 900);
  const trader = await connectedTrader(testBed.portal, `seller-${number}@model.example`, pounds);
  return {
    testBed,
    random,
    trader,
    sessions: [browser(testBed.instances[0], trader.cookie), browser(testBed.instances[1], trader.cookie)],
    refundPence: pounds * 100,
    steps: [],
  };
}

export type SequenceView = Awaited<ReturnType<typeof readSequence>>;

export async function readSequence({ testBed, trader: { companyId } }: Sequence) {
  const { db } = testBed.portal.deps.database;
  const [advance] = await db.select().from(advances).where(eq(advances.companyId, companyId)).orderBy(desc(advances.quotedAt)).limit(1);
  const [account] = await db.select().from(collectionAccounts).where(eq(collectionAccounts.companyId, companyId));
  const orders = await db.select().from(payouts).where(eq(payouts.companyId, companyId));
  const credits = await db.select().from(bankCredits).where(eq(bankCredits.companyId, companyId));
  const allocations = await db
    .select()
    .from(creditAllocations)
    .where(and(eq(creditAllocations.companyId, companyId), isNull(creditAllocations.reversedAt)));
  const filed = await db.select({ id: filings.id }).from(filings).where(eq(filings.companyId, companyId));
  const atBank = new Set(orders.map(({ id }) => id));
  return {
    advance,
    account,
    orders,
    credits,
    /** What the credits pay now. */
    allocations,
    isFiled: filed.length > 0,
    payoutsAtBank: testBed.portal.bank.listPayouts().filter(({ idempotency_key }) => atBank.has(idempotency_key)),
  };
}

/** The credits at the bank on the trader's collection account. */
export function listArrived({ testBed }: Sequence, account: { readonly sortCode: string; readonly accountNumber: string }) {
  return testBed.portal.bank
    .listCredits()
    .filter(({ sort_code, account_number }) => sort_code === account.sortCode && account_number === account.accountNumber);
}
