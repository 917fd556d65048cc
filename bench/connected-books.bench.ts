/**
 * Compares reading 10,000 documents and calculating the nine boxes with a bare loop that fetches and parses the same pages. For both, the
 * simulator has no rate limits and runs in a process of its own.
 */
import { booksConnections, booksReads } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { BOOKS_PROVIDER_NAMES, BOOKS_PROVIDERS, type BooksProviderName } from '@portal/domain/connected-books/books-providers.ts';
import { pence } from '@portal/domain/money.ts';
import { randomUUID } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { readBooks } from '../apps/server/src/features/books-connection/read-books.ts';
import { connectBooks, getReturn, seedOrganisation } from '../apps/server/src/testing/books-steps.ts';
import { openTestPortal, type TestPortal } from '../apps/server/src/testing/open-test-portal.ts';
import { createConnectedTrader, type Trader } from '../apps/server/src/testing/test-trader.ts';
import { median } from './against-bare.ts';
import { startBooksSimulator, type BooksSimulator } from './books-simulator.ts';
import { printBenchRows, type BenchRow } from './bench-row.ts';

const ROUNDS = 5;
/** The first rounds run code that isn't compiled yet. */
const WARM_UP_ROUNDS = 2;
const DOCUMENTS = 10_000;
const MAX_RATIO = 4;

type Call = { readonly url: string; readonly headers: RequestInit['headers'] };
type TimedRound = { readonly bare: number; readonly own: number };

/** Records the portal's requests, so that the bare loop fetches the same pages. Copying each request would count as the portal's time. */
const calls: Call[] = [];
const { fetch } = globalThis;
let simulator: BooksSimulator | undefined;
globalThis.fetch = (input, init) => {
  if (input instanceof Request || (init?.method ?? 'GET') !== 'GET') return fetch(input, init);
  const url = simulator?.toUrl(String(input)) ?? String(input);
  calls.push({ url, headers: init?.headers });
  return fetch(url, init);
};

export async function measureConnectedBooks(engine: string): Promise<BenchRow[]> {
  simulator = await startBooksSimulator();
  const portal = await openTestPortal({ validateOutputs: false });
  try {
    const rows: BenchRow[] = [];
    for (const provider of BOOKS_PROVIDERS) {
      const rounds: TimedRound[] = [];
      // Use a different organisation in each round, because our own rate limit applies per organisation.
      for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) rounds.push(await measureRound(portal, provider));
      rows.push(toRow(provider, engine, rounds.slice(WARM_UP_ROUNDS)));
    }
    return rows;
  } finally {
    await portal.close();
    simulator.close();
  }
}

function toRow(provider: BooksProviderName, engine: string, rounds: readonly TimedRound[]): BenchRow {
  const [portalMs, bareMs] = [median(rounds.map((round) => round.own)), median(rounds.map((round) => round.bare))];
  const ratio = median(rounds.map((round) => round.own / round.bare));
  return {
    title: `10,000 documents of ${BOOKS_PROVIDER_NAMES[provider]} to the nine boxes on ${engine}, against fetching and parsing the same pages`,
    measured: `${portalMs.toFixed(0)} ms against ${bareMs.toFixed(0)} ms = ${ratio.toFixed(2)} times`,
    limit: `at most ${MAX_RATIO} times`,
    ok: ratio <= MAX_RATIO,
  };
}

async function measureRound(portal: TestPortal, provider: BooksProviderName): Promise<TimedRound> {
  const trader = await connectWithDocuments(portal, provider);
  calls.length = 0;
  collectGarbage();
  const portalMs = await time(() => readAll(portal, trader));
  const pages = [...calls];
  const figures = await getReturn(trader);
  if (figures['rows'] !== DOCUMENTS) throw new Error(`the return has ${String(figures['rows'])} rows instead of ${DOCUMENTS}`);
  await fetchAll(pages);
  collectGarbage();
  return { own: portalMs, bare: await time(() => fetchAll(pages)) };
}

/** Connects books with this number of documents. They haven't been read yet. */
export async function connectWithDocuments(portal: TestPortal, provider: BooksProviderName, count = DOCUMENTS): Promise<Trader> {
  const trader = await createConnectedTrader(portal, `${randomUUID()}@tess.example`, null, { isVerified: false });
  const setup = seedOrganisation(portal, provider, trader, { name: `Tess ${trader.vrn}` });
  const { periodStart: date } = trader.obligation;
  for (let number = 3; number <= count; number += 1) {
    const [kind, netPence, vatPence] = number % 2 === 0 ? (['sale', 100_00, 20_00] as const) : (['purchase', 50_00, 10_00] as const);
    portal.identity.books[provider].putEntry(setup.organisationId, {
      id: String(number),
      date,
      kind,
      netPence: pence(netPence),
      vatPence: pence(vatPence),
    });
  }
  const books = portal.identity.books[provider];
  const recordings = books.read(setup.organisationId);
  if (recordings && simulator) {
    await simulator.serve(provider, recordings);
    // Delete them here, where they would make each garbage collection longer.
    const organisation = books.findOrganisation(setup.organisationId);
    if (organisation) books.putOrganisation(organisation);
  }
  await connectBooks(portal, trader, provider, setup);
  await portal.deps.database.db
    .update(booksConnections)
    .set({ basis: 'accrual', isBasisAnswered: true })
    .where(eq(booksConnections.companyId, trader.companyId));
  return trader;
}

/** Reads the connected books, as the job does, until their boxes are stored. */
export async function readAll({ deps }: TestPortal, { companyId }: Trader): Promise<void> {
  for (;;) {
    await readBooks(deps, companyId, { signal: new AbortController().signal, isLastAttempt: true });
    const [read] = await deps.database.db.select().from(booksReads).where(eq(booksReads.companyId, companyId));
    if (read?.status === 'reading') continue;
    if (read?.problem !== null) throw new Error(`the books couldn’t be read: ${read?.problem ?? 'no read'}`);
    return;
  }
}

/** Returns how many requests of the portal have been recorded. */
export const countCalls = (): number => calls.length;

async function fetchAll(pages: readonly Call[]): Promise<void> {
  for (const { url, headers } of pages) JSON.parse(await (await fetch(url, headers === undefined ? {} : { headers })).text());
}

/** Each side then pays only for its own garbage. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

async function time(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const rows = await measureConnectedBooks(process.env['TEST_DATABASE_URL'] ? 'PostgreSQL' : 'the embedded database');
  if (process.send) process.send(rows);
  else printBenchRows(rows);
}
