import { booksColumns, booksFiles, booksRows, obligations } from '@portal/db/schema/schema.ts';
import { createClock } from '@portal/domain/clock.ts';
import { addDays, formatDate, type PlainDate } from '@portal/domain/plain-date.ts';
import { eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { createConnectedTrader, signUp, type Trader } from '../../testing/test-trader.ts';
import { purgePendingBooks } from './books-uploads.ts';

let portal: TestPortal;
let trader: Trader;
beforeAll(async () => {
  portal = await openTestPortal();
  trader = await createConnectedTrader(portal, 'uploads@trader.example');
});
afterAll(() => portal.close());

type PendingUpload = {
  upload_id: string;
  waits_for: string;
  table: { columns: { heading: string; target: string | null }[]; header_line: number };
};
const upload = (lines: readonly string[], encoding: BufferEncoding = 'utf8', name = 'books.csv') =>
  trader.browser.upload(
    '/instant-vat/books/file',
    { company_id: trader.companyId, file_name: name },
    Buffer.from(lines.join('\r\n'), encoding),
  );
const post = (name: string, body: object) => trader.browser.post(`/instant-vat/books/${name}`, { company_id: trader.companyId, ...body });
const readReturn = async () => {
  const query = { company_id: trader.companyId, obligation_id: trader.obligation.id };
  return (await trader.browser.get('/instant-vat/vat-return', query)).body;
};
const countFiles = async () =>
  (await portal.deps.database.db.select().from(booksFiles).where(eq(booksFiles.companyId, trader.companyId))).length;

describe('rows that aren’t in any VAT period that HMRC has listed', () => {
  it('are pointed out with the file, now and later', async () => {
    const periods = await portal.deps.database.db
      .select({ start: obligations.periodStart, end: obligations.periodEnd })
      .from(obligations)
      .where(eq(obligations.companyId, trader.companyId));
    const [start] = periods.map((period) => period.start).toSorted();
    const end = periods
      .map((period) => period.end)
      .toSorted()
      .at(-1);
    if (start === undefined || end === undefined) throw new Error('no periods');
    const createFile = (dates: readonly PlainDate[]) => [
      'date,kind,reference,counterparty,description,net,vat,treatment',
      ...dates.map((date, index) => `${date},sale,R-${index},Acme,Goods,100.00,20.00,standard`),
    ];
    const outside = { first_period_start: start, last_period_end: end, rows_before: 1, rows_after: 2 };
    const response = await upload(createFile([addDays(start, -1), start, end, addDays(end, 1), addDays(end, 400)]));
    expect(response.body['pending']).toBeNull();
    expect(response.body['file']).toMatchObject({ rows: 5, outside_periods: outside });
    const readCurrent = async () => (await trader.browser.get('/instant-vat/books', { company_id: trader.companyId })).body['current'];
    expect(await readCurrent()).toMatchObject({ outside_periods: outside });
    await upload(createFile([start, end]));
    expect(await readCurrent()).toMatchObject({ rows: 2, outside_periods: null });
  });
});

describe('a file with net, VAT and gross amounts', () => {
  const HEADINGS = 'Invoice date,Type,Invoice no,Net (£),VAT (£),Gross (£),Tax rate';

  it('is rejected if a row’s amounts don’t add up, naming row, column and amounts', async () => {
    const { periodStart } = trader.obligation;
    const filesBefore = await countFiles();
    const response = await upload([
      HEADINGS,
      `${periodStart},Sales invoice,INV-1,100.00,20.00,120.00,20%`,
      `${periodStart},Sales invoice,INV-2,100.00,20.00,125.00,20%`,
      `${periodStart},Bill,B-1,100.00,2.00,£120.00,20%`,
    ]);
    expect(response).toMatchObject({ status: 422, body: { code: 'books.file_rejected', details: { error_count: 2 } } });
    expect(response.body['details']).toMatchObject({
      errors: [
        {
          line: 3,
          column: 'Gross (£)',
          reason:
            '“net 100.00 + VAT 20.00, gross 125.00” doesn’t add up: correct one of the three amounts, or choose “Don’t use” for the gross column',
        },
        { line: 4, column: 'Gross (£)' },
      ],
      groups: [{ count: 2, lines: [3, 4] }],
    });
    expect(await countFiles()).toBe(filesBefore);
  });

  it('is read if they do, also for credit notes, rounding and VAT that the buyer accounts for', async () => {
    const { periodStart, periodEnd } = trader.obligation;
    const response = await upload([
      HEADINGS,
      `${periodStart},Sales invoice,INV-1,100.00,20.00,120.00,20%`,
      `${periodStart},Sales credit note,CN-1,10.00,2.00,12.00,20%`,
      `${periodStart},Bill,B-1,33.33,6.66,40.00,20%`,
      `${periodStart},Bill,B-2,50.00,10.00,50.00,domestic_reverse_charge`,
      `${periodEnd},Bill,B-3,50.00,,50.00,zero`,
    ]);
    expect(response).toMatchObject({ status: 201, body: { pending: null, file: { rows: 5 } } });
    expect(await readReturn()).toMatchObject({ boxes: { box1_pence: 2_800, box4_pence: 1_666 } });
  });
});

describe('a file from other software', () => {
  it('is read with its title rows, semicolons, £ signs, brackets and written dates, to the penny', async () => {
    const { periodStart, periodEnd } = trader.obligation;
    const response = await upload(
      [
        'Sales and purchases;;;;;;',
        `Printed on ${formatDate(periodEnd)};;;;;;`,
        'Invoice date;Type;Invoice no;Contact;Net (£);VAT (£);Tax rate',
        `${formatDate(periodStart)};Sales invoice;INV-1;Café Ltd;"£14,044.75";£2,808.95;20% (VAT on Income)`,
        `${formatDate(periodEnd, 'short')};Bill;B-1;Glass Ltd;1.000,50;200,10;20%`,
        `${formatDate(periodEnd)};Bill;B-2;Glass Ltd;(£100.00);(£20.00);20%`,
        'Total;;;;14.945,25;2.989,05;',
      ],
      'latin1',
    );
    expect(response).toMatchObject({ status: 201, body: { pending: null, file: { rows: 3 }, left_out_lines: [7] } });
    expect(await readReturn()).toMatchObject({
      boxes: { box1_pence: 280_895, box4_pence: 18_010, box6_pounds: 14_045, box7_pounds: 901 },
      rows: 3,
    });
    const rows = await portal.deps.database.db.select().from(booksRows).where(eq(booksRows.counterparty, 'Café Ltd'));
    expect(rows).toMatchObject([{ line: 4, reference: 'INV-1', netPence: 1_404_475, treatment: 'standard' }]);
  });

  it('waits until a user says what its columns and values mean, and is then read without asking', async () => {
    const { periodStart, periodEnd } = trader.obligation;
    const lines = [
      'Datum,Wie,Soort,Bedrag,BTW,Code',
      `${periodStart},Oslo AS,Uitgaand,1000.00,200.00,Hoog`,
      `${periodEnd},Glass Ltd,Inkomend,500.00,0.00,0%`,
    ];
    const before = await countFiles();
    const { status, body } = await upload(lines);
    const pendingUpload = body['pending'] as PendingUpload;
    expect({ status, pending: pendingUpload }).toMatchObject({ status: 201, pending: { waits_for: 'columns', table: { header_line: 1 } } });
    expect(await countFiles()).toBe(before);
    expect((await trader.browser.get('/instant-vat/books', { company_id: trader.companyId })).body).toMatchObject({
      pending: pendingUpload,
    });

    const columns = ['date', 'counterparty', 'kind', 'net', 'vat', 'treatment'];
    const choice = { upload_id: pendingUpload.upload_id, sheet: 0, header_line: 1 };
    expect(await post('map', { ...choice, columns: ['date', null, null, 'net', 'vat', null] })).toMatchObject({
      status: 400,
      body: { message: { columns: expect.stringContaining('kind, treatment') } },
    });
    const response = await post('map', { ...choice, columns });
    expect(response.body).toMatchObject({
      file: null,
      pending: {
        table: {
          kinds: [
            { text: 'Uitgaand', meaning: null },
            { text: 'Inkomend', meaning: null },
          ],
          treatments: [
            { text: 'Hoog', meaning: null },
            { text: '0%', meaning: null },
          ],
        },
      },
    });
    const answeredResponse = await post('map', {
      ...choice,
      columns,
      kinds: [
        { text: 'Uitgaand', meaning: 'sale' },
        { text: 'Inkomend', meaning: 'purchase' },
      ],
      treatments: [
        { text: 'Hoog', meaning: 'standard' },
        { text: '0%', meaning: 'zero' },
      ],
    });
    expect(answeredResponse).toMatchObject({ status: 200, body: { pending: null, file: { rows: 2 } } });
    expect(await readReturn()).toMatchObject({ boxes: { box1_pence: 20_000, box4_pence: 0, box6_pounds: 1_000, box7_pounds: 500 } });
    expect(await upload(lines)).toMatchObject({ status: 201, body: { pending: null, file: { rows: 2 } } });
    const storedColumns = await portal.deps.database.db.select().from(booksColumns).where(eq(booksColumns.companyId, trader.companyId));
    expect(storedColumns).toMatchObject([{ remembered: { kinds: { uitgaand: 'sale' }, columns: { datum: 'date' } } }]);
  });

  it('says that it covers only part of a period before its figures are used', async () => {
    const { periodStart, periodEnd } = trader.obligation;
    const before = (await readReturn())['boxes'];
    const last = addDays(periodStart, 40);
    const { body } = await upload([
      'date,kind,reference,counterparty,description,net,vat,treatment',
      `${periodStart},sale,S-1,Oslo AS,Lamps,10.00,2.00,standard`,
      `${last},sale,S-2,Oslo AS,Lamps,10.00,2.00,standard`,
    ]);
    expect(body).toMatchObject({
      file: null,
      pending: {
        waits_for: 'incomplete',
        gaps: [{ period_start: periodStart, period_end: periodEnd, first_date: periodStart, last_date: last }],
      },
    });
    expect((await readReturn())['boxes']).toEqual(before);
    const { upload_id: id } = body['pending'] as PendingUpload;
    expect(await post('apply', { upload_id: id })).toMatchObject({ status: 200, body: { pending: null, file: { rows: 2 } } });
    expect(await readReturn()).toMatchObject({ boxes: { box1_pence: 400 } });
    expect(await post('apply', { upload_id: id })).toMatchObject({ status: 404 });
  });

  it('is rejected as a whole, with equal errors grouped', async () => {
    const before = await countFiles();
    const response = await upload([
      'date,kind,reference,counterparty,description,net,vat,treatment',
      ...Array.from({ length: 17 }, (_, index) => `${trader.obligation.periodStart},sale,S-${index},Oslo AS,Lamps,$10.00,2.00,standard`),
      `${trader.obligation.periodStart},sale,S-18,Oslo AS,Lamps,10.00,2.00,standrad`,
    ]);
    expect(response).toMatchObject({
      status: 422,
      body: {
        code: 'books.file_rejected',
        details: {
          error_count: 18,
          groups: [
            { column: 'net', count: 17, lines: expect.arrayContaining([2, 18]), reason: expect.stringContaining('currency') },
            { column: 'treatment', count: 1, lines: [19], reason: expect.stringContaining('standard') },
          ],
        },
      },
    });
    expect(await countFiles()).toBe(before);
  });

  it('can be discarded, is deleted after 30 days, and belongs to its company', async () => {
    const { body } = await upload(['Wat,Hoe', 'a,b']);
    const { upload_id: id } = body['pending'] as PendingUpload;
    const { browser: outsiderBrowser } = await signUp(portal, 'stranger-books@trader.example');
    expect(await outsiderBrowser.post('/instant-vat/books/apply', { company_id: trader.companyId, upload_id: id })).toMatchObject({
      status: 404,
    });
    await purgePendingBooks({ ...portal.deps, clock: createClock(() => Date.parse('2026-12-09T09:00:00.000Z')) });
    expect((await trader.browser.get('/instant-vat/books', { company_id: trader.companyId })).body).toMatchObject({
      pending: { upload_id: id },
    });
    expect(await post('discard', { upload_id: id })).toMatchObject({ status: 200 });
    expect((await trader.browser.get('/instant-vat/books', { company_id: trader.companyId })).body).toMatchObject({ pending: null });
    await upload(['Wat,Hoe', 'a,b']);
    await purgePendingBooks({ ...portal.deps, clock: createClock(() => Date.parse('2026-12-11T09:00:00.000Z')) });
    expect((await trader.browser.get('/instant-vat/books', { company_id: trader.companyId })).body).toMatchObject({ pending: null });
  });
});
