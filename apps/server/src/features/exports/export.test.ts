/** Tests the client export as a user downloads it. */
import { auditEntries, clientRows } from '@portal/db/schema/schema.ts';
import { pence } from '@portal/domain/money.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { and, eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addClient, addPractice, assignClient, type TestPractice } from '../../testing/add-practice.ts';
import { addPortfolio } from '../../testing/add-portfolio.ts';
import { unzip } from '../../testing/unzip.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { neutraliseCsvCell } from '@portal/domain/books/csv-text.ts';

let portal: TestPortal;
let practice: TestPractice;
beforeAll(async () => {
  portal = await openTestPortal();
  practice = await addPractice(portal);
  for (let index = 0; index < 5; index += 1) await addClient(portal, practice.companyId, { name: `Client ${index}` });
  const id = await addClient(portal, practice.companyId, { name: '=HYPERLINK("http://x"), "& <Sons>"' });
  await portal.deps.database.db
    .update(clientRows)
    .set({ owedPence: pence(1_234_567), nextDueOn: plainDate('2026-12-07'), nextDueTax: 'vat', nextDueWhat: 'payment', readTaxes: ['vat'] })
    .where(and(eq(clientRows.companyId, practice.companyId), eq(clientRows.clientId, id)));
});
afterAll(() => portal.close());

async function download(cookie: string, query: Record<string, string>) {
  const url = '/portal/open-tax/export-table';
  const response = await portal.app.inject({ url, query: { company_id: practice.companyId, ...query }, headers: { cookie } });
  return { status: response.statusCode, headers: response.headers, bytes: response.rawPayload, text: response.body };
}

describe('the client export', () => {
  it('as CSV contains the whole list in order, quoted and without formulas', async () => {
    const { status, headers, text } = await download(practice.cookies.admin, { format: 'csv', sort: 'name' });
    expect([status, headers['content-disposition'], headers['cache-control']]).toEqual([
      200,
      'attachment; filename="clients-2026-11-10.csv"',
      'no-store',
    ]);
    const lines = text.trimEnd().split('\r\n');
    expect(lines[0]).toMatch(/^\uFEFF?Name,Client type,Status,/);
    expect(lines).toHaveLength(7);
    expect(lines.find((line) => line.includes('HYPERLINK'))).toMatch(/^"'=HYPERLINK\(""http:\/\/x""\), ""& <Sons>""",Company,Active,VAT,/);
    expect(lines.find((line) => line.includes('HYPERLINK'))).toContain(',2026-12-07,VAT,Payment,,12345.67,0.00,0.00,');
  });

  it('narrowed to a tax has that tax’s dates and amounts under headers that name it, and never a zero for what was not read', async () => {
    const mixedPractice = await addPractice(portal);
    const client = { status: 'active', kind: 'company', isAssigned: false, hasYearEnd: false } as const;
    const read = { readDaysAgo: 0, hasFailed: false, returns: [] };
    await addPortfolio(portal, mixedPractice, [
      {
        ...client,
        taxes: [
          { ...read, tax: 'vat', charges: [{ pounds: 40, due: 3 }] },
          { ...read, tax: 'ct', charges: [{ pounds: 900, due: -20 }] },
          { ...read, tax: 'paye', readDaysAgo: null, charges: [] },
        ],
      },
    ]);
    const readCells = async (query: Record<string, string>): Promise<Record<string, string>> => {
      const url = '/portal/open-tax/export-table';
      const response = await portal.app.inject({
        url,
        query: { company_id: mixedPractice.companyId, ...query },
        headers: { cookie: mixedPractice.cookies.admin },
      });
      const [titles = [], cells = []] = response.body
        .replace('\uFEFF', '')
        .trimEnd()
        .split('\r\n')
        .map((line) => [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) => quoted ?? plain ?? ''));
      return Object.fromEntries(titles.map((title, index) => [title, cells[index] ?? '']));
    };
    const all = await readCells({});
    expect(all).toMatchObject({ 'Owed to HMRC (£)': '940.00', 'Overdue (£)': '900.00', 'Next due: tax': 'Corporation tax' });
    expect(all['Figures']).toBe('VAT and Corporation tax only: PAYE not updated yet');
    const vat = await readCells({ tax: 'vat' });
    expect(vat).toMatchObject({
      'VAT: owed to HMRC (£)': '40.00',
      'VAT: overdue (£)': '0.00',
      'VAT: next due': '2026-11-13',
      'VAT: figures': 'Updated today',
    });
    expect(vat).not.toHaveProperty('Owed to HMRC (£)');
    expect(await readCells({ tax: 'ct' })).toMatchObject({
      'Corporation tax: owed to HMRC (£)': '900.00',
      'Corporation tax: overdue (£)': '900.00',
    });
    expect(await readCells({ tax: 'paye' })).toMatchObject({
      'PAYE: owed to HMRC (£)': '',
      'PAYE: overdue (£)': '',
      'PAYE: figures': 'Not updated yet',
    });
  });

  it('narrowed by a filter has a column for what the filter counted, and adds up to the sum above the list', async () => {
    const ownPractice = await addPractice(portal);
    const client = { status: 'active', kind: 'company', isAssigned: false, hasYearEnd: false } as const;
    const read = { readDaysAgo: 0, hasFailed: false, returns: [] };
    await addPortfolio(portal, ownPractice, [
      {
        ...client,
        taxes: [
          {
            ...read,
            tax: 'vat',
            charges: [
              { pounds: 40, due: 3 },
              { pounds: 5, due: 6, kind: 'interest' },
            ],
            returns: [4],
          },
          { ...read, tax: 'ct', charges: [{ pounds: 900, due: -20 }] },
        ],
      },
      { ...client, taxes: [{ ...read, tax: 'paye', charges: [{ pounds: 7, due: 0 }] }] },
    ]);
    const headers = { cookie: ownPractice.cookies.admin };
    const getExport = async (filters: Record<string, string>) => {
      const query = { company_id: ownPractice.companyId, ...filters };
      const { body } = await portal.app.inject({ url: '/portal/open-tax/export-table', query, headers });
      const [titles = '', ...lines] = body.replace('\uFEFF', '').trimEnd().split('\r\n');
      return { titles, lines };
    };
    const dueExport = await getExport({ due_before: '2026-11-17' });
    expect(dueExport.titles).toContain(
      'Due in period: first date,Due in period: what,Due in period: items,Due in period: amount (£),Owed to HMRC',
    );
    expect(dueExport.lines.map((line) => /2026-11-\d\d,2026.*?,\d+,[\d.]*(?=,)/.exec(line)?.[0])).toEqual([
      '2026-11-10,2026-11-10 PAYE payment £7.00,1,7.00',
      '2026-11-13,2026-11-13 VAT payment £40.00; 2026-11-14 VAT return; 2026-11-16 VAT interest charge £5.00,3,45.00',
    ]);
    const count = await ownPractice.admin.get('/open-tax/client-companies/count', {
      company_id: ownPractice.companyId,
      due_before: '2026-11-17',
    });
    expect(count.body['matched']).toMatchObject({ items: 4, amount_pence: 52_00, is_partial: false });
    const month = await getExport({ pay_in: '2026-11-01', tax: 'ct' });
    expect(month.titles).toContain('Corporation tax: payments in month: amount (£)');
    expect(month.lines).toEqual([expect.stringContaining(',2026-10-21 Corporation tax payment £900.00,1,900.00,')]);
    // The sheet contains the number itself, so that it can be added up.
    const sheet = unzip(
      (await download(ownPractice.cookies.admin, { company_id: ownPractice.companyId, format: 'xlsx', due_before: '2026-11-17' })).bytes,
    );
    expect(sheet.get('xl/worksheets/sheet1.xml')).toContain('<v>3</v>');
    const lateExport = await getExport({ has: 'at_risk' });
    expect(lateExport.titles).toContain('Penalties and interest not charged yet (£)');
    // Each of several filters has its columns.
    const severalFiltersExport = await getExport({ due_before: '2026-11-17', pay_in: '2026-11-01', has: 'overdue_return' });
    expect(severalFiltersExport.titles).toContain('Due in period: amount (£),Payments in month: first date');
    expect(severalFiltersExport.titles).toContain('Payments in month: amount (£),Overdue returns,Owed to HMRC');
    const combinedExport = await getExport({ due_before: '2026-11-17', pay_in: '2026-11-01', has: 'overdue' });
    expect(combinedExport.lines).toEqual([expect.stringMatching(/,3,45\.00,2026-10-21,.*,3,945\.00,/)]);
  });

  it('as XLSX contains real numbers, real dates and text that cannot run as a formula', async () => {
    const { headers, bytes } = await download(practice.cookies.admin, { format: 'xlsx', q: 'hyperlink' });
    expect(headers['content-type']).toContain('spreadsheetml.sheet');
    const files = unzip(bytes);
    expect([...files.keys()]).toEqual([
      '[Content_Types].xml',
      '_rels/.rels',
      'xl/workbook.xml',
      'xl/_rels/workbook.xml.rels',
      'xl/styles.xml',
      'xl/worksheets/sheet1.xml',
    ]);
    const sheet = files.get('xl/worksheets/sheet1.xml') ?? '';
    expect(sheet).toContain(">'=HYPERLINK(&quot;http://x&quot;), &quot;&amp; &lt;Sons&gt;&quot;</t>");
    expect(sheet).toContain('<v>12345.67</v>');
    // The serial number of 7 December 2026 in Excel.
    expect(sheet).toContain('<v>46363</v>');
    expect(sheet.match(/<row /g)).toHaveLength(2);
    expect(sheet).not.toContain('<f>');
  });

  it('of a team member contains only assigned clients, and is audited with its filters', async () => {
    const emptyFileResponse = await download(practice.cookies.member, { format: 'csv' });
    expect(emptyFileResponse.text.trimEnd().split('\r\n')).toHaveLength(1);
    const assignedClient = await addClient(portal, practice.companyId, { name: 'Mine alone' });
    await assignClient(portal, practice.companyId, assignedClient, practice.memberId);
    const { text } = await download(practice.cookies.member, { format: 'csv', status: 'active' });
    expect(text.trimEnd().split('\r\n').slice(1)).toEqual([expect.stringMatching(/^Mine alone,/)]);
    const { db } = portal.deps.database;
    const auditTrail = await db
      .select()
      .from(auditEntries)
      .where(and(eq(auditEntries.companyId, practice.companyId), eq(auditEntries.actor, practice.memberId)));
    expect(auditTrail.at(-1)).toMatchObject({
      action: 'clients.exported',
      after: { format: 'csv', sort: 'next_due', direction: 'asc', filters: { status: 'active' }, clients: 1 },
    });
    await db.delete(clientRows).where(eq(clientRows.clientId, assignedClient));
  });

  it('returns 404 to another practice and 401 without a session', async () => {
    const otherPractice = await addPractice(portal);
    expect((await download(otherPractice.cookies.admin, { format: 'csv' })).status).toBe(404);
    expect((await download('', { format: 'csv' })).status).toBe(401);
  });
});

it.each(['=1', '+1', '-1', '@a', '\ta', '\ra'])('neutralises the formula prefix of %j', (text) => {
  expect(neutraliseCsvCell(text)).toBe(`'${text}`);
});
it.each(['a=1', '1-1', '', ' '])('leaves the text %j unchanged', (text) => {
  expect(neutraliseCsvCell(text)).toBe(text);
});
