import { auditEntries, filings, obligations } from '@portal/db/schema/schema.ts';
import { addDays, addMonths } from '@portal/domain/plain-date.ts';
import { and, asc, eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { createConnectedTrader, signUp, type Trader } from '../../testing/test-trader.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());

const HEADER = 'date,kind,reference,counterparty,description,net,vat,treatment';
const call = (trader: Trader, name: string, obligationId: string, overrides: object = {}) =>
  trader.browser.post(`/instant-vat/vat-return/${name}`, { company_id: trader.companyId, obligation_id: obligationId, ...overrides });
const read = (trader: Trader, obligationId: string, path = '') =>
  trader.browser.get(`/instant-vat/vat-return${path}`, { company_id: trader.companyId, obligation_id: obligationId });

async function fileReturn(trader: Trader, obligationId: string) {
  const { body } = await read(trader, obligationId);
  const figures = { figures_version: body['figures_version'], declaration_accepted: true };
  return trader.browser.post(
    '/instant-vat/vat-return/file',
    { company_id: trader.companyId, obligation_id: obligationId, ...figures },
    { 'idempotency-key': crypto.randomUUID() },
  );
}

/** Uploads books containing the rows of the filed quarter and the given rows. */
function upload({ browser, companyId, obligation }: Trader, rows: readonly string[]) {
  const filedLines = [
    `${obligation.periodStart},sale,INV-1,Oslo AS,Lamps,50000.00,0.00,zero`,
    `${obligation.periodEnd},purchase,B-1,Glass Ltd,Shades,20000.00,4000.00,standard`,
  ];
  return browser.upload(
    '/instant-vat/books/file',
    { company_id: companyId, file_name: 'books.csv' },
    [HEADER, ...filedLines, ...rows].join('\n'),
  );
}

/** Returns a trader who has filed a quarter, with the next return. */
async function createFiledTrader(email: string) {
  const trader = await createConnectedTrader(portal, email);
  expect(await fileReturn(trader, trader.obligation.id)).toMatchObject({ body: { obligation: { state: 'filed_awaiting_hmrc' } } });
  const [next] = await portal.deps.database.db
    .select()
    .from(obligations)
    .where(and(eq(obligations.companyId, trader.companyId), eq(obligations.periodStart, addDays(trader.obligation.periodEnd, 1))))
    .orderBy(asc(obligations.periodEnd));
  if (!next) throw new Error('the HMRC simulator lists no next period');
  return { trader, next };
}

type CorrectionRow = { key: string; kind: string; due_pence: number; decision: { correction_id: string; route: string } | null };
const listRows = (body: Record<string, unknown>): CorrectionRow[] =>
  (body['periods'] as { rows: CorrectionRow[] }[]).flatMap(({ rows }) => rows);

describe('rows dated in a period already filed', () => {
  it('are offered for the next return, included once to the penny, can be removed again, and are never offered twice', async () => {
    const { trader, next } = await createFiledTrader('late@trader.example');
    const { obligation } = trader;
    await upload(trader, [
      `${obligation.periodStart},sale,INV-9,Hull Ltd,Late lamps,1000.50,200.10,standard`,
      `${obligation.periodEnd},purchase,B-9,Glass Ltd,Late glass,100.05,20.01,standard`,
      `${next.periodStart},sale,INV-10,Hull Ltd,Lamps,2000.00,400.00,standard`,
    ]);
    expect((await read(trader, next.id)).body).toMatchObject({
      late_rows: 2,
      boxes: { box1_pence: 40_000, box4_pence: 0 },
      checks: expect.arrayContaining([expect.objectContaining({ code: 'late_rows' })]),
    });
    const offeredCorrections = (await read(trader, next.id, '/corrections')).body;
    expect(offeredCorrections).toMatchObject({
      owed_to_hmrc_pence: 20_010,
      owed_to_trader_pence: 2_001,
      net_error_pence: 18_009,
      limit: { limit_pence: 1_000_000, box6_pounds: 2_000, is_within: true },
      periods: [{ obligation_id: obligation.id, rows: [{ kind: 'added' }, { kind: 'added' }] }],
    });
    const keys = listRows(offeredCorrections).map(({ key }) => key);
    const includedResponse = await call(trader, 'correct', next.id, { keys, route: 'return' });
    expect(listRows(includedResponse.body)).toMatchObject([{ decision: { route: 'return' } }, { decision: { route: 'return' } }]);
    // GOV.UK: the net value owed to HMRC is added to box 1.
    expect((await read(trader, next.id)).body).toMatchObject({
      late_rows: 0,
      boxes: { box1_pence: 58_009, box4_pence: 0, box6_pounds: 2_000 },
      adjustments: [{ box: '1', amount_pence: 18_009, kind: 'error_correction', made_by: trader.fullName }],
    });
    expect(await call(trader, 'correct', next.id, { keys, route: 'return' })).toMatchObject({
      status: 409,
      body: { code: 'return.correction_gone' },
    });

    const sale = listRows(includedResponse.body).find(({ due_pence }) => due_pence === 20_010);
    await call(trader, 'undo-correction', next.id, { correction_id: sale?.decision?.correction_id });
    // The rest is due to the trader, so it is in box 4.
    expect((await read(trader, next.id)).body).toMatchObject({
      late_rows: 1,
      boxes: { box1_pence: 40_000, box4_pence: 2_001 },
      adjustments: [{ box: '4', amount_pence: 2_001 }],
    });
    const audit = await portal.deps.database.db
      .select({ action: auditEntries.action })
      .from(auditEntries)
      .where(eq(auditEntries.companyId, trader.companyId));
    expect(audit.map(({ action }) => action)).toEqual(expect.arrayContaining(['return.correction_included', 'return.correction_undone']));
  });

  it('count only their difference when a filed document was changed, and can be left out with a reason', async () => {
    const { trader, next } = await createFiledTrader('changed-row@trader.example');
    const { obligation } = trader;
    await trader.browser.upload(
      '/instant-vat/books/file',
      { company_id: trader.companyId, file_name: 'books.csv' },
      [
        HEADER,
        `${obligation.periodStart},sale,INV-1,Oslo AS,Lamps,50000.00,0.00,zero`,
        `${obligation.periodEnd},purchase,B-1,Glass Ltd,Shades,19000.00,3800.00,standard`,
        `${next.periodStart},sale,INV-10,Hull Ltd,Lamps,2000.00,400.00,standard`,
      ].join('\n'),
    );
    const [row] = listRows((await read(trader, next.id, '/corrections')).body);
    expect(row).toMatchObject({ kind: 'changed', due_pence: 20_000 });
    const decide = (overrides: object) => call(trader, 'correct', next.id, { keys: [row?.key], ...overrides });
    expect(await decide({ route: 'left_out' })).toMatchObject({ status: 400 });
    expect(await decide({ route: 'left_out', note: 'HMRC agreed the old figure' })).toMatchObject({ status: 200 });
    expect((await read(trader, next.id)).body).toMatchObject({ late_rows: 0, adjustments: [] });
  });

  it('cannot be included above HMRC’s limit, however few are chosen, but can be recorded as reported', async () => {
    const { trader, next } = await createFiledTrader('large@trader.example');
    const { obligation } = trader;
    await upload(trader, [
      `${obligation.periodStart},sale,INV-8,Hull Ltd,Crane,49999.95,9999.99,standard`,
      `${obligation.periodStart},sale,INV-9,Hull Ltd,Hook,0.10,0.02,standard`,
      `${next.periodStart},sale,INV-10,Hull Ltd,Lamps,2000.00,400.00,standard`,
    ]);
    const offeredCorrections = (await read(trader, next.id, '/corrections')).body;
    expect(offeredCorrections).toMatchObject({ net_error_pence: 1_000_001, limit: { limit_pence: 1_000_000, is_within: false } });
    const [first, second] = listRows(offeredCorrections);
    expect(await call(trader, 'correct', next.id, { keys: [first?.key], route: 'return' })).toMatchObject({
      status: 409,
      body: { code: 'return.error_too_large', message: expect.stringContaining('£10,000.01') },
    });
    await call(trader, 'correct', next.id, { keys: [second?.key], route: 'reported', note: 'Reported online on 12 November 2026' });
    expect(await call(trader, 'correct', next.id, { keys: [first?.key], route: 'return' })).toMatchObject({ status: 200 });
  });

  it('found after a correction count towards HMRC’s limit when the return is filed, and so does the time limit', async () => {
    const { trader, next } = await createFiledTrader('more-errors@trader.example');
    const { obligation } = trader;
    const rows = [
      `${obligation.periodStart},sale,INV-8,Hull Ltd,Crane,45000.00,9000.00,standard`,
      `${next.periodStart},sale,INV-10,Hull Ltd,Lamps,2000.00,400.00,standard`,
      `${next.periodEnd},sale,INV-11,Hull Ltd,Lamps,1000.00,200.00,standard`,
    ];
    await upload(trader, rows);
    const keys = listRows((await read(trader, next.id, '/corrections')).body).map(({ key }) => key);
    expect((await call(trader, 'correct', next.id, { keys, route: 'return' })).status).toBe(200);
    // Each error alone is below the limit of £10,000, and both together are a penny above.
    await upload(trader, [...rows, `${obligation.periodEnd},sale,INV-9,Hull Ltd,Hoist,5000.05,1000.01,standard`]);
    const before = portal.deps.clock.now();
    portal.moveClock(`${addDays(next.periodEnd, 1)}T09:00:00.000Z`);
    expect(await fileReturn(trader, next.id)).toMatchObject({
      status: 409,
      body: { code: 'return.error_too_large', message: expect.stringContaining('£10,000.01') },
    });
    await upload(trader, rows);
    portal.moveClock(`${addDays(addMonths(obligation.periodEnd, 48), 1)}T09:00:00.000Z`);
    expect(await fileReturn(trader, next.id)).toMatchObject({ status: 409, body: { code: 'return.correction_too_old' } });
    portal.moveClock(before);
  });

  it('can be corrected for four years after the period, and unclaimed input tax for four years after its return was due', async () => {
    const { trader, next } = await createFiledTrader('four-years@trader.example');
    const { obligation } = trader;
    await upload(trader, [
      `${obligation.periodStart},sale,INV-8,Hull Ltd,Crane,1000.00,200.00,standard`,
      `${obligation.periodEnd},purchase,B-8,Glass Ltd,Glass,500.00,100.00,standard`,
      `${next.periodStart},sale,INV-10,Hull Ltd,Lamps,2000.00,400.00,standard`,
    ]);
    const before = portal.deps.clock.now();
    const readOn = async (day: string) => {
      portal.moveClock(`${day}T09:00:00.000Z`);
      const { body } = await read(trader, next.id, '/corrections');
      const periods = body['periods'] as { too_old: boolean; rows: { type: string }[] }[];
      return [body['net_error_pence'], ...periods.map(({ too_old, rows }) => [too_old, ...rows.map(({ type }) => type)])];
    };
    const [dueRow] = await portal.deps.database.db.select().from(obligations).where(eq(obligations.id, obligation.id));
    const [lastDay, lastClaimDay] = [addMonths(obligation.periodEnd, 48), addMonths(dueRow?.dueOn ?? obligation.periodEnd, 48)];
    expect(lastClaimDay > lastDay).toBe(true);
    expect(await readOn(lastDay)).toEqual([10_000, [false, 'sale', 'purchase']]);
    expect(await readOn(addDays(lastDay, 1))).toEqual([-10_000, [true, 'sale'], [false, 'purchase']]);
    expect(await readOn(lastClaimDay)).toEqual([-10_000, [true, 'sale'], [false, 'purchase']]);
    expect(await readOn(addDays(lastClaimDay, 1))).toEqual([0, [true, 'sale', 'purchase']]);
    portal.moveClock(before);
  });

  it('are not shown to or changed by another trader', async () => {
    const { trader, next } = await createFiledTrader('owner-late@trader.example');
    const { browser: outsiderBrowser } = await signUp(portal, 'stranger-late@trader.example');
    const query = { company_id: trader.companyId, obligation_id: next.id };
    expect(await outsiderBrowser.get('/instant-vat/vat-return/corrections', query)).toMatchObject({ status: 404 });
    expect(await outsiderBrowser.post('/instant-vat/vat-return/correct', { ...query, keys: ['x'], route: 'return' })).toMatchObject({
      status: 404,
    });
  });
});

describe('adjustments', () => {
  const adjustment = (overrides: object = {}) => ({
    adjustment_id: crypto.randomUUID(),
    box: '1',
    amount_pence: 12_345,
    reason: 'Fuel scale charge for two cars',
    ...overrides,
  });

  it('change their box to the penny, are stored with the filed return, and cannot change afterwards', async () => {
    const trader = await createConnectedTrader(portal, 'adjusts@trader.example');
    const { id } = trader.obligation;
    const before = String((await read(trader, id)).body['figures_version']);
    const first = adjustment();
    // Sends the same request twice, as happens after a lost response.
    await Promise.all([call(trader, 'adjust', id, first), call(trader, 'adjust', id, first)]);
    const negativeResponse = await call(
      trader,
      'adjust',
      id,
      adjustment({ box: '6', amount_pence: -100_000, reason: 'Sale to the owner' }),
    );
    expect(negativeResponse.body).toMatchObject({
      boxes: { box1_pence: 12_345, box3_pence: 12_345, box5_pence: 387_655, box6_pounds: 49_000, direction: 'repayment' },
      adjustments: [{ box: '1' }, { box: '6', amount_pence: -100_000 }],
    });
    expect(negativeResponse.body['figures_version']).not.toBe(before);
    const dashboard = (await trader.browser.get('/instant-vat/dashboard', { company_id: trader.companyId })).body;
    expect(JSON.stringify(dashboard)).toContain('387655');
    const removedResponse = await call(trader, 'remove-adjustment', id, {
      adjustment_id: (negativeResponse.body['adjustments'] as { adjustment_id: string }[])[1]?.adjustment_id,
    });
    expect(removedResponse.body).toMatchObject({ boxes: { box6_pounds: 50_000 }, adjustments: [{ box: '1' }] });

    expect(await fileReturn(trader, id)).toMatchObject({ status: 200, body: { obligation: { state: 'filed_awaiting_hmrc' } } });
    expect(await call(trader, 'adjust', id, adjustment())).toMatchObject({ status: 409, body: { code: 'return.not_open' } });
    expect(await call(trader, 'remove-adjustment', id, { adjustment_id: first.adjustment_id })).toMatchObject({ status: 409 });
    expect((await read(trader, id)).body).toMatchObject({
      boxes: { box1_pence: 12_345, box5_pence: 387_655 },
      adjustments: [{ reason: first.reason, made_by: trader.fullName }],
    });
    const [filing] = await portal.deps.database.db.select().from(filings).where(eq(filings.companyId, trader.companyId));
    expect(filing?.adjustments).toMatchObject([{ id: first.adjustment_id, box: 1, amount_pence: 12_345, reason: first.reason }]);
    expect(portal.hmrc.listReturns(trader.vrn).map(({ boxes }) => boxes)).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ box1: 12_345 })]),
    );
  });

  it.each([
    [{ reason: 'no' }, 'reason'],
    [{ amount_pence: 0 }, 'amount_pence'],
    [{ box: '7', amount_pence: 150 }, 'amount_pence'],
    [{ box: '3' }, 'box'],
    [{ box: '5' }, 'box'],
  ])('rejects %j and names the field', async (change, field) => {
    const trader = await createConnectedTrader(portal, `adjust-${field}-${JSON.stringify(change).length}@trader.example`);
    const response = await call(trader, 'adjust', trader.obligation.id, adjustment(change));
    expect(response.status).toBe(400);
    expect(JSON.stringify(response.body)).toContain(field);
  });
});

describe('a return filed elsewhere', () => {
  it('says where it differs from the books, box by box', async () => {
    const trader = await createConnectedTrader(portal, 'elsewhere-differs@trader.example');
    portal.hmrc.fileElsewhere(trader.vrn, { refundPence: 410_000, daysAgo: 0 });
    await trader.browser.post('/instant-vat/hmrc/refresh', { company_id: trader.companyId });
    const { body } = await read(trader, trader.obligation.id);
    expect(body).toMatchObject({
      obligation: { state: 'filed_elsewhere' },
      books_difference: { file_name: 'books.csv', boxes: expect.any(Array) },
    });
    const { boxes } = body['books_difference'] as {
      boxes: { box: number; filed_pence: number; books_pence: number; difference_pence: number }[];
    };
    expect(boxes.find(({ box }) => box === 5)).toEqual({ box: 5, filed_pence: -410_000, books_pence: -400_000, difference_pence: -10_000 });
    for (const { filed_pence, books_pence, difference_pence } of boxes) expect(filed_pence - books_pence).toBe(difference_pence);
  });
});
