/** Tests the turnover of each month in a client's books: what is kept when the books change, is corrected, and leaves with its books. */
import { readMigrations } from '@portal/db/read-migrations.ts';
import { type booksFiles, clients, clientTurnovers } from '@portal/db/schema/schema.ts';
import { and, asc, eq, sql } from '@portal/db/sql.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addClientBooks, type TestBooksRow } from '../../testing/add-client-books.ts';
import { addClient, addPractice, type TestPractice } from '../../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { runAgent } from '../agent/run-agent.ts';
import { withdrawBooks } from '../books-connection/delete-read-books.ts';
import { saveBooksTurnover } from './save-books-turnover.ts';

let portal: TestPortal;
let practice: TestPractice;
let clientId: string;

beforeAll(async () => {
  portal = await openTestPortal({ at: '2026-11-10T09:00:00.000Z' });
});
afterAll(() => portal.close());
beforeEach(async () => {
  portal.moveClock('2026-11-10T09:00:00.000Z');
  practice = await addPractice(portal);
  clientId = await addClient(portal, practice.companyId, { name: 'Una Brook' });
  await setRegistered(false);
});

const getDb = () => portal.deps.database.db;
const setRegistered = (isRegistered: boolean) =>
  getDb()
    .update(clients)
    .set({ hasVat: isRegistered, hasSa: true, vrn: null })
    .where(and(eq(clients.companyId, practice.companyId), eq(clients.id, clientId)));
const addBooks = (...[rows, fields]: [readonly TestBooksRow[], Partial<typeof booksFiles.$inferInsert>?]) =>
  addClientBooks({ portal, practice, clientId }, rows, fields);
const getTaxpayer = () => ({ companyId: clientId, practiceId: practice.companyId });
const listStored = () =>
  getDb().select().from(clientTurnovers).where(eq(clientTurnovers.clientId, clientId)).orderBy(asc(clientTurnovers.endOn));
const list = async () => (await listStored()).map(({ endOn, turnoverPence: amount }) => [endOn, amount]);
const get = async () => {
  const { body } = await practice.admin.get('/client/turnover', { company_id: practice.companyId, client_id: clientId });
  return body['turnovers'] as { end_on: string; turnover_pence: number; exceeded_threshold_pence: number | null }[];
};
async function listDrafts() {
  const mode = { company_id: practice.companyId, mode: 'suggest', drafts_per_day: 100, acts_per_day: 50 };
  await practice.admin.post('/open-tax/agent-mode', mode);
  await runAgent(portal.deps, practice.companyId, new AbortController().signal);
  const query = { company_id: practice.companyId, column: 'drafts', rule_id: 'vat-registration-near' };
  const { body } = await practice.admin.get('/open-tax/agent-proposals', query);
  return body['proposals'] as { title: string; due_on: string; facts: { label: string; text: string }[] }[];
}

/** Books whose year to 30 September 2025 is £93,400, the months before and after it less. */
const EXCEEDING: readonly TestBooksRow[] = [
  ['2024-06-30', 'zero', 100_000],
  ['2024-10-01', 'zero', 4_340_000],
  ['2025-09-30', 'zero', 5_000_000],
  ['2025-10-31', 'zero', 100_000],
];
const LATER: readonly TestBooksRow[] = [
  ['2025-10-31', 'zero', 100_000],
  ['2026-10-31', 'zero', 2_000_000],
];
const listExceededMonths = async () => (await list()).filter(([, amount]) => Number(amount) > 9_000_000);

it('a turnover too large to be true is unknown, and the books are kept', async () => {
  await addBooks([
    ['2025-09-30', 'zero', 100_000],
    ...Array.from({ length: 1_000 }, (): TestBooksRow => ['2025-12-31', 'zero', 9_999_999_999_900]),
    ['2026-10-31', 'zero', 100_000],
  ]);
  expect(await list()).toEqual([]);
});

describe('a month end above the registration threshold', () => {
  it('is kept with every other month of the books, and stays after newer, lower books', async () => {
    await addBooks(EXCEEDING);
    const before = [
      ['2025-06-30', 4_340_000],
      ['2025-07-31', 4_340_000],
      ['2025-08-31', 4_340_000],
      ['2025-09-30', 9_340_000],
      ['2025-10-31', 5_100_000],
    ];
    expect(await list()).toEqual(before);
    await addBooks(LATER);
    expect(await list()).toEqual([...before, ['2026-10-31', 2_000_000]]);
    expect(await get()).toMatchObject([
      { end_on: '2026-10-31', turnover_pence: 2_000_000, exceeded_threshold_pence: null },
      { end_on: '2025-09-30', turnover_pence: 9_340_000, exceeded_threshold_pence: 9_000_000 },
    ]);
  });

  it('is proposed with the month, and the dates that follow from it', async () => {
    await addBooks(EXCEEDING);
    await addBooks(LATER);
    const drafts = await listDrafts();
    expect(drafts).toMatchObject([
      { title: '12-month turnover of £93,400.00 to 30 September 2025 was above the VAT registration threshold', due_on: '2025-10-30' },
    ]);
    expect(drafts[0]?.facts.map(({ label, text }) => `${label}: ${text}`)).toEqual([
      '12 months’ taxable sales in the client’s books: £93,400.00, 1 October 2024 to 30 September 2025',
      '12 months’ taxable sales in the client’s books: £20,000.00, 1 November 2025 to 31 October 2026',
      'VAT registration threshold: £90,000.00 since 1 April 2024',
      'Month end above the threshold: 30 September 2025',
      'Last day to tell HMRC: 30 October 2025, 30 days after the end of the month',
      'Registered from: 1 November 2025',
    ]);
  });

  it('is shown once when there are several, with the earliest and the highest month', async () => {
    await addBooks([
      ['2024-06-30', 'zero', 100_000],
      ['2024-10-01', 'zero', 9_500_000],
      ['2025-05-01', 'zero', 700_000],
      ['2025-09-30', 'zero', 100_000],
    ]);
    expect((await get()).map(({ end_on: end, turnover_pence: amount }) => [end, amount])).toEqual([
      ['2025-09-30', 10_300_000],
      ['2025-06-30', 10_200_000],
    ]);
  });
});

describe('corrected books', () => {
  it('replace the months that they cover, and delete those whose turnover becomes unknown', async () => {
    await addBooks(EXCEEDING);
    await addBooks(EXCEEDING.map(([date, treatment, amount]) => [date, treatment, amount === 5_000_000 ? 500_000 : amount]));
    expect(await listExceededMonths()).toEqual([]);
    expect(await list()).toContainEqual(['2025-09-30', 4_840_000]);
    // A sale without VAT, as before a registration, in two of the years.
    await addBooks([...EXCEEDING, ['2024-08-15', 'no_vat', 1]]);
    expect(await list()).toEqual([
      ['2025-08-31', 4_340_000],
      ['2025-09-30', 9_340_000],
      ['2025-10-31', 5_100_000],
    ]);
  });

  it('leave the months before them, but not those that they cover without sales', async () => {
    await addBooks(EXCEEDING);
    await addBooks([['2025-09-30', 'blocked', 1], ...LATER]);
    // The year from 1 October 2025 begins before the first sale.
    expect((await list()).at(-1)).toEqual(['2026-10-31', 2_000_000]);
    expect(await listExceededMonths()).toEqual([['2025-09-30', 9_340_000]]);
    await addBooks([['2024-09-30', 'blocked', 1], ...LATER]);
    expect(await listExceededMonths()).toEqual([]);
  });

  it('end with the last whole month before today, even if a row has a later date', async () => {
    await addBooks([...LATER, ['2027-03-31', 'zero', 1]]);
    expect(await list()).toEqual([['2026-10-31', 2_000_000]]);
  });

  it('keep the date from which a figure is known only until they become current again', async () => {
    await addBooks(LATER);
    const readAt = (await listStored())[0]?.knownAt;
    portal.moveClock('2026-12-02T09:00:00.000Z');
    await getDb().transaction((tx) => saveBooksTurnover(tx, portal.deps, getTaxpayer(), null));
    expect((await listStored())[0]?.knownAt).toEqual(readAt);
    await addBooks(LATER);
    expect((await listStored())[0]?.knownAt).not.toEqual(readAt);
  });
});

describe('unlinked books', () => {
  const createXeroSource = (organisationId: string, vatNumber = '123456789') => ({ source: 'xero', organisationId, vatNumber }) as const;
  const withdraw = (keptBooks: Parameters<typeof withdrawBooks>[3]) =>
    getDb().transaction((tx) => withdrawBooks(portal.deps, tx, getTaxpayer(), keptBooks));

  it('remove only their own months', async () => {
    await addBooks(EXCEEDING);
    await addBooks([...LATER, ['2026-10-30', 'zero', 9_000_000]], createXeroSource('a'));
    await addBooks([...LATER, ['2026-10-30', 'zero', 3_000_000]], createXeroSource('b'));
    expect((await list()).filter(([end]) => end === '2026-10-31')).toHaveLength(2);
    await withdraw({ provider: 'xero', organisationId: 'b' });
    expect((await list()).filter(([end]) => end === '2026-10-31')).toEqual([['2026-10-31', 5_000_000]]);
    await withdraw(undefined);
    expect((await list()).filter(([end]) => end === '2026-10-31')).toEqual([]);
    expect(await listExceededMonths()).toEqual([['2025-09-30', 9_340_000]]);
  });

  it('under a VAT number provide only the last months, because their sales were made while registered', async () => {
    await addBooks([...EXCEEDING, ...LATER], createXeroSource('a'));
    expect((await list()).map(([end]) => end)).toEqual([
      '2026-04-30',
      '2026-05-31',
      '2026-06-30',
      '2026-07-31',
      '2026-08-31',
      '2026-09-30',
      '2026-10-31',
    ]);
    expect(await listDrafts()).toEqual([]);
  });
});

describe('months stored while the client was registered', () => {
  it('don’t count for registering after the registration has ended, even if the same books are uploaded again', async () => {
    await setRegistered(true);
    await addBooks(EXCEEDING);
    await setRegistered(false);
    expect(await listDrafts()).toEqual([]);
    await addBooks(EXCEEDING);
    expect(await listDrafts()).toEqual([]);
    expect(await get()).toEqual([]);
  });
});

describe('a month stored by the previous version', () => {
  /** The only month end of these books, as the version before stored it. */
  async function storeAsEarlierVersion() {
    await addBooks([...EXCEEDING.slice(1, 3), ['2024-09-30', 'zero', 1]]);
    await getDb().update(clientTurnovers).set({ booksOrigin: null, wasRegistered: null }).where(eq(clientTurnovers.clientId, clientId));
    expect(await list()).toEqual([['2025-09-30', 9_340_000]]);
  }

  it('gets its origin from the migration, so that newer books don’t overwrite it', async () => {
    await storeAsEarlierVersion();
    const migration = readMigrations().find(({ name }) => name.endsWith('turnover-months-index'));
    for (const statement of migration?.statements ?? []) if (/^update /im.test(statement)) await getDb().execute(sql.raw(statement));
    expect(await listStored()).toMatchObject([{ booksOrigin: 'file', wasRegistered: false }]);
    await addBooks(LATER);
    expect(await listExceededMonths()).toEqual([['2025-09-30', 9_340_000]]);
  });

  it('whose books aren’t known is replaced by the months of the current books', async () => {
    await storeAsEarlierVersion();
    await addBooks(LATER);
    expect(await list()).toEqual([['2026-10-31', 2_000_000]]);
  });
});
