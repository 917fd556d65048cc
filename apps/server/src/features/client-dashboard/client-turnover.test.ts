/** Tests a client's turnover: entered by hand or computed from its books, shown with source and date, and noticed by the assistant. */
import { randomUUID } from 'node:crypto';
import { booksFiles, clientObservations, clients, clientTurnovers } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { pence } from '@portal/domain/money.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addClientBooks, type TestBooksRow } from '../../testing/add-client-books.ts';
import { addClient, addPractice, assignClient, type TestPractice } from '../../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { loadFacts } from '../agent/load-facts.ts';
import { runAgent } from '../agent/run-agent.ts';
import { saveBooksTurnover } from '../books/save-books-turnover.ts';

let portal: TestPortal;
let practice: TestPractice;
let otherPractice: TestPractice;
let clientId: string;

beforeAll(async () => {
  portal = await openTestPortal({ at: '2026-11-10T09:00:00.000Z' });
  otherPractice = await addPractice(portal);
});
afterAll(() => portal.close());
beforeEach(async () => {
  practice = await addPractice(portal);
  clientId = await addClient(portal, practice.companyId, { name: 'Una Brook' });
  await assignClient(portal, practice.companyId, clientId, practice.memberId);
  await getDb().update(clients).set({ hasVat: false, hasSa: true, vrn: null }).where(eq(clients.id, clientId));
});

const getDb = () => portal.deps.database.db;
const getIds = () => ({ company_id: practice.companyId, client_id: clientId });
const enter = (body: object, browser = practice.member) => browser.post('/client/turnover', { ...getIds(), ...body });
const get = async () => (await practice.member.get('/client/turnover', getIds())).body;
const run = () => runAgent(portal.deps, practice.companyId, new AbortController().signal);
const listDrafts = async () => {
  const { body } = await practice.admin.get('/open-tax/agent-proposals', {
    company_id: practice.companyId,
    column: 'drafts',
    rule_id: 'vat-registration-near',
  });
  return body['proposals'] as { title: string }[];
};

const addBooks = (...[rows, fields]: [readonly TestBooksRow[], Partial<typeof booksFiles.$inferInsert>?]) =>
  addClientBooks({ portal, practice, clientId }, rows, fields);
const find = async () => (await get())['turnovers'] as { source: string }[];

describe('turnover that a practice enters', () => {
  it('is unknown until then, and afterwards has its date and author; the newest counts', async () => {
    expect(await get()).toEqual({ turnovers: [], is_vat_registered: false });
    expect((await enter({ turnover_pence: 8_500_000, end_on: '2026-10-31' })).status).toBe(200);
    expect((await enter({ turnover_pence: 8_600_000, end_on: '2026-10-31' })).status).toBe(200);
    expect(await get()).toMatchObject({
      turnovers: [
        {
          source: 'practice',
          is_from_hmrc: false,
          turnover_pence: 8_600_000,
          start_on: '2025-11-01',
          end_on: '2026-10-31',
          as_of: '2026-11-10',
          entered_by: expect.any(String) as string,
        },
      ],
    });
  });

  it('keeps the figure and author of each month, so that a lower month doesn’t hide one above the threshold', async () => {
    await enter({ turnover_pence: 9_200_000, end_on: '2026-09-30' }, practice.admin);
    await enter({ turnover_pence: 8_400_000, end_on: '2026-10-31' });
    const { turnovers } = (await get()) as { turnovers: { turnover_pence: number; entered_by: string }[] };
    expect(turnovers).toMatchObject([
      { turnover_pence: 8_400_000, exceeded_threshold_pence: null },
      { turnover_pence: 9_200_000, exceeded_threshold_pence: 9_000_000 },
    ]);
    expect(turnovers[0]?.entered_by).not.toBe(turnovers[1]?.entered_by);
    const mode = { company_id: practice.companyId, mode: 'suggest', drafts_per_day: 100, acts_per_day: 50 };
    await practice.admin.post('/open-tax/agent-mode', mode);
    await run();
    expect((await listDrafts()).map(({ title }) => title)).toEqual([
      '12-month turnover of £92,000.00 to 30 September 2026 was above the VAT registration threshold',
    ]);
  });

  it('is rejected if its date isn’t a month end, is in the future or long ago, if it is negative, and for other practices’ clients', async () => {
    for (const end_on of ['2026-10-30', '2026-11-30', '2026-03-31']) {
      expect(await enter({ turnover_pence: 1, end_on })).toMatchObject({ status: 400, body: { details: { field: 'end_on' } } });
    }
    expect((await enter({ turnover_pence: -1, end_on: '2026-10-31' })).status).toBe(400);
    expect((await enter({ turnover_pence: 1, end_on: '2026-10-31' }, otherPractice.admin)).status).toBe(404);
    expect(await getDb().select().from(clientTurnovers).where(eq(clientTurnovers.clientId, clientId))).toEqual([]);
  });

  it('stays above the threshold after six months, until the practice corrects that month; other old months are rejected', async () => {
    await getDb()
      .insert(clientTurnovers)
      .values({
        companyId: practice.companyId,
        clientId,
        id: randomUUID(),
        source: 'practice',
        endOn: plainDate('2025-09-30'),
        turnoverPence: pence(92_000_000),
        wasRegistered: false,
        enteredBy: practice.memberId,
        knownAt: '2025-10-05T09:00:00.000Z' as never,
      });
    expect(await find()).toMatchObject([{ end_on: '2025-09-30', turnover_pence: 92_000_000, exceeded_threshold_pence: 9_000_000 }]);
    expect((await enter({ turnover_pence: 8_000_000, end_on: '2025-08-31' })).status).toBe(400);
    expect((await enter({ turnover_pence: 8_000_000, end_on: '2025-09-30' })).status).toBe(200);
    expect(await find()).toEqual([]);
  });

  it('entered while the client was registered doesn’t count towards registering again later', async () => {
    await getDb().update(clients).set({ hasVat: true }).where(eq(clients.id, clientId));
    await enter({ turnover_pence: 20_000_000, end_on: '2026-10-31' });
    expect(await find()).toMatchObject([{ counts: true, exceeded_threshold_pence: null }]);
    await getDb().update(clients).set({ hasVat: false }).where(eq(clients.id, clientId));
    expect(await find()).toMatchObject([{ counts: false, exceeded_threshold_pence: null }]);
  });

  it('triggers the assistant’s rules for that client only, once', async () => {
    const mode = { company_id: practice.companyId, mode: 'suggest', drafts_per_day: 100, acts_per_day: 50 };
    expect((await practice.admin.post('/open-tax/agent-mode', mode)).status).toBe(200);
    await run();
    expect(await listDrafts()).toEqual([]);
    await enter({ turnover_pence: 8_500_000, end_on: '2026-10-31' });
    await run();
    await run();
    expect((await listDrafts()).map(({ title }) => title)).toEqual([
      '12-month turnover of £85,000.00: £5,000.00 below the VAT registration threshold',
    ]);
    await enter({ turnover_pence: 5_000_000, end_on: '2026-10-31' });
    await run();
    expect(await listDrafts()).toEqual([]);
  });
});

describe('turnover in a client’s books', () => {
  it('is the taxable sales of the last twelve whole months that the books cover', async () => {
    await addBooks([
      ['2025-09-30', 'standard', 900_000],
      ['2025-10-01', 'standard', 100_000],
      ['2026-02-10', 'zero', 200_000],
      ['2026-03-10', 'exempt', 5_000_000],
      ['2026-04-10', 'outside_uk', 5_000_000],
      ['2026-05-10', 'capital', 5_000_000],
      ['2026-06-10', 'bad_debt_relief', 30_000],
      ['2026-07-10', 'blocked', 5_000_000],
      // Services bought from abroad count as supplied by the buyer (VATA 1994 s8).
      ['2026-07-11', 'imported_services', 40_000],
      ['2026-09-30', 'standard', -50_000],
      // October isn’t complete: its last days may be missing.
      ['2026-10-20', 'standard', 700_000],
    ]);
    expect(await find()).toMatchObject([
      { source: 'books', turnover_pence: 290_000, start_on: '2025-10-01', end_on: '2026-09-30', as_of: '2026-11-10', entered_by: null },
    ]);
    const [row] = await getDb().select().from(clientTurnovers).where(eq(clientTurnovers.clientId, clientId));
    expect(row).toMatchObject({ badDebtPence: 30_000, isCashBasis: null });
  });

  it('from connected software runs to the last whole month, and is replaced by the next read', async () => {
    await addBooks(
      [
        ['2025-10-15', 'standard', 100],
        ['2026-08-10', 'standard', 300_000],
      ],
      { source: 'xero', vatNumber: '123456789' },
    );
    expect(await find()).toMatchObject([{ turnover_pence: 300_000, end_on: '2026-10-31' }]);
    await addBooks(
      [
        ['2025-10-15', 'standard', 100],
        ['2026-08-10', 'standard', 400_000],
      ],
      { source: 'xero', vatNumber: '123456789' },
    );
    expect(await find()).toMatchObject([{ turnover_pence: 400_000 }]);
    // Books from another registration aren’t this client’s.
    await getDb().update(clients).set({ vrn: '999999973' }).where(eq(clients.id, clientId));
    expect(await find()).toEqual([]);
  });

  it('takes precedence over what the practice entered before, but not over later entries; only one of them counts', async () => {
    const counting = async () =>
      ((await get())['turnovers'] as { counts: boolean; source: string; turnover_pence: number }[]).map(
        ({ counts, source, turnover_pence: amount }) => `${counts ? 'counts' : 'ignored'} ${source} ${amount}`,
      );
    const rows = [
      ['2025-10-15', 'standard', 100],
      ['2026-10-31', 'standard', 300_000],
    ] as const;
    await addBooks(rows);
    await enter({ turnover_pence: 400_000, end_on: '2026-10-31' });
    expect(await counting()).toEqual(['counts practice 400000', 'ignored books 300000']);
    await getDb()
      .update(clientTurnovers)
      .set({ knownAt: '2026-11-08T09:00:00.000Z' as never })
      .where(and(eq(clientTurnovers.clientId, clientId), eq(clientTurnovers.source, 'practice')));
    expect(await counting()).toEqual(['counts books 300000', 'ignored practice 400000']);
    // Books with a VAT number belong to a registration that has ended.
    await addBooks(rows, { vatNumber: '123456789' });
    expect(await counting()).toEqual(['ignored books 300000', 'counts practice 400000']);
  });

  it('is unknown, not nil, for books that cover less than twelve months or were withdrawn', async () => {
    await addBooks([
      ['2026-01-10', 'standard', 100_000],
      ['2026-10-31', 'standard', 100_000],
    ]);
    expect(await find()).toEqual([]);
    await addBooks([
      ['2025-10-10', 'standard', 100_000],
      ['2026-10-31', 'standard', 100_000],
    ]);
    expect(await find()).toHaveLength(1);
    await getDb().update(booksFiles).set({ withdrawnAt: portal.deps.clock.now() }).where(eq(booksFiles.companyId, clientId));
    await getDb().transaction((tx) => saveBooksTurnover(tx, portal.deps, { companyId: clientId, practiceId: practice.companyId }, null));
    expect(await find()).toEqual([]);
  });
});

describe('books without all sales of twelve months', () => {
  it('have no turnover if the first sale is later than the first purchase', async () => {
    await addBooks([
      ['2025-09-10', 'blocked', 100_000],
      ['2026-02-10', 'standard', 100_000],
      ['2026-10-31', 'standard', 100_000],
    ]);
    expect(await find()).toEqual([]);
  });

  it('have unknown turnover, not zero, if sales have no VAT', async () => {
    await addBooks([
      ['2025-10-10', 'no_vat', 9_000_000],
      ['2026-10-31', 'no_vat', 9_000_000],
    ]);
    expect(await find()).toEqual([]);
    await addBooks([
      ['2025-10-10', 'no_vat', 9_000_000],
      ['2025-10-11', 'standard', 100_000],
      ['2026-10-31', 'standard', 100_000],
    ]);
    expect(await find()).toMatchObject([{ turnover_pence: 100_000 }]);
    await addBooks([
      ['2025-10-11', 'standard', 100_000],
      ['2025-11-01', 'no_vat', 1],
      ['2026-10-31', 'standard', 100_000],
    ]);
    expect(await find()).toEqual([]);
  });

  it('have no turnover if the client was registered for VAT within them', async () => {
    const rows = [
      ['2025-10-11', 'standard', 100_000],
      ['2026-10-31', 'standard', 100_000],
    ] as const;
    await getDb()
      .update(clients)
      .set({ vatRegisteredOn: plainDate('2025-11-02') })
      .where(eq(clients.id, clientId));
    await addBooks(rows);
    expect(await find()).toEqual([]);
    await getDb()
      .update(clients)
      .set({ vatRegisteredOn: plainDate('2025-11-01') })
      .where(eq(clients.id, clientId));
    await addBooks(rows);
    expect(await find()).toMatchObject([{ turnover_pence: 100_000 }]);
  });
});

describe('late payment penalties', () => {
  it('count once HMRC has charged them, and not while they accrue', async () => {
    const createPenalty = (status: string, end: string) => ({ status, period: { start: '2026-01-01', end, due: '2026-05-07' } });
    const latePayments = [
      createPenalty('accruing', '2026-06-30'),
      createPenalty('posted', '2026-03-31'),
      createPenalty('accruing', '2026-03-31'),
    ];
    await getDb()
      .insert(clientObservations)
      .values({
        companyId: practice.companyId,
        clientId,
        source: 'hmrc',
        kind: 'vat_penalties',
        takenAt: portal.deps.clock.now(),
        bodyHash: 'x',
        body: { activePoints: 0, pointsThreshold: 4, lateReturns: [], latePayments },
      });
    const scope = { companyId: practice.companyId, today: portal.deps.clock.today(), publicUrl: '' };
    expect((await loadFacts(getDb(), scope, [clientId]))[0]?.late_vat_payments).toEqual(['2026-03-31']);
  });
});

describe('people at Companies House', () => {
  it('are listed with the state of their identity verification', async () => {
    const getPeople = async () => (await practice.member.get('/client/register-people', getIds())).body;
    expect(await getPeople()).toEqual({ people: null, read_on: null });
    const person = { role: 'director', opens_on: null, due_on: null, supplied_on: null, removed_on: null };
    const people = [
      { ...person, name: 'Una BROOK', due_on: '2026-12-01' },
      { ...person, name: 'Vic BROOK', supplied_on: '2026-03-01' },
      { ...person, name: 'Wyn BROOK' },
    ];
    const at = portal.deps.clock.now();
    await getDb()
      .insert(clientObservations)
      .values({
        companyId: practice.companyId,
        clientId,
        source: 'companies_house',
        kind: 'companies_house_people',
        takenAt: at,
        bodyHash: 'x',
        body: { companyNumber: '01234567', people },
      });
    await getDb()
      .update(clients)
      .set({ companyNumber: '01234567', registerReadAt: at, registerPeopleReadAt: at })
      .where(and(eq(clients.companyId, practice.companyId), eq(clients.id, clientId)));
    expect(await getPeople()).toEqual({
      read_on: '2026-11-10',
      people: [
        { name: 'Una BROOK', role: 'director', identity: 'due', opens_on: null, due_on: '2026-12-01', supplied_on: null },
        { name: 'Vic BROOK', role: 'director', identity: 'verified', opens_on: null, due_on: null, supplied_on: '2026-03-01' },
        { name: 'Wyn BROOK', role: 'director', identity: 'unknown', opens_on: null, due_on: null, supplied_on: null },
      ],
    });
  });
});
