/** Tests the trader's documents as files: who may read them, their contents, and their structure. */
import { createHash } from 'node:crypto';
import { auditEntries } from '@portal/db/schema/schema.ts';
import { parsePounds, sumPence } from '@portal/domain/money.ts';
import { and, eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { readPdf } from '../../testing/read-pdf.ts';
import {
  createTraderWithFiledReturn,
  findAdvance,
  createPaidTrader,
  getTrialBalance,
  waitForState,
  type AdvanceBody,
} from '../../testing/take-advance.ts';
import { createOperatorAccount, type Trader } from '../../testing/test-trader.ts';

const PERIOD = { from: '2026-11-01', to: '2026-12-31' };
const ACCOUNTS = { advances: '835', clearing: '850', fee: '404', vat: '820', other_income: '=SUM(A1)' };

let portal: TestPortal;
let trader: Trader;
let otherTrader: Trader;
let advance: AdvanceBody;
let operatorCookie: string;
beforeAll(async () => {
  portal = await openTestPortal();
  trader = await createPaidTrader(portal, 'papers@trader.example', 4_000);
  otherTrader = await createTraderWithFiledReturn(portal, 'stranger@trader.example', 5_000);
  advance = await findAdvance(trader);
  portal.moveClock('2026-12-08T09:00:00.000Z');
  // Money from another sender, which we hold for the trader.
  portal.bank.creditAccount({
    sortCode: advance.collection_account?.sort_code ?? '',
    accountNumber: advance.collection_account?.account_number ?? '',
    amountPence: 25_00,
    remitterName: 'Somebody Else Ltd',
    reference: 'REF',
  });
  await portal.hmrc.moveRepayment(trader.vrn, trader.obligation.periodKey, 'PAID');
  await waitForState(trader, 'settled');
  operatorCookie = await createOperatorAccount(portal, 'otis@operators.example');
  portal.moveClock('2027-01-05T09:00:00.000Z');
});
afterAll(() => portal.close());

async function download(path: string, query: Record<string, string>, cookie = trader.cookie) {
  const url = `/portal/instant-vat/documents/${path}`;
  const response = await portal.app.inject({ url, query: { company_id: trader.companyId, ...query }, headers: { cookie } });
  return { status: response.statusCode, headers: response.headers, bytes: response.rawPayload, text: response.body };
}

const FILES = [
  ['receipt', () => ({ obligation_id: trader.obligation.id })],
  ['quote', () => ({ advance_id: advance.advance_id })],
  ['agreement', () => ({ advance_id: advance.advance_id })],
  ['statement', () => PERIOD],
  ['statement', () => ({ ...PERIOD, format: 'csv' })],
  ['journals', () => ({ ...PERIOD, software: 'xero' })],
] as const;

describe('a document', () => {
  it('can be read only by the trader and our operators', async () => {
    for (const [path, getQuery] of FILES) {
      expect([path, (await download(path, getQuery())).status]).toEqual([path, 200]);
      expect([path, (await download(path, getQuery(), operatorCookie)).status]).toEqual([path, 200]);
      expect([path, (await download(path, getQuery(), otherTrader.cookie)).status]).toEqual([path, 404]);
      expect([path, (await download(path, getQuery(), '')).status]).toEqual([path, 401]);
    }
    // Nor can they be read through the user's own company with another company's IDs.
    const ownKey = { company_id: otherTrader.companyId };
    for (const [path, getQuery] of FILES.slice(0, 3)) {
      expect([path, (await download(path, { ...getQuery(), ...ownKey }, otherTrader.cookie)).status]).toEqual([path, 404]);
    }
    const isRead = and(eq(auditEntries.companyId, trader.companyId), eq(auditEntries.action, 'document.read_by_operator'));
    expect(await portal.deps.database.db.select().from(auditEntries).where(isRead)).toHaveLength(FILES.length);
  });

  it('is identical for the same facts, whenever it is downloaded', async () => {
    const before = await Promise.all(FILES.map(async ([path, getQuery]) => (await download(path, getQuery())).bytes));
    portal.moveClock('2027-01-20T09:00:00.000Z');
    const after = await Promise.all(FILES.map(async ([path, getQuery]) => (await download(path, getQuery())).bytes));
    expect(after.map((bytes, index) => before[index]?.equals(bytes))).toEqual(FILES.map(() => true));
  });

  it('has a descriptive name, and is never cached', async () => {
    const names = await Promise.all(
      FILES.map(async ([path, getQuery]) => {
        const { headers } = await download(path, getQuery());
        expect(headers['cache-control']).toBe('no-store');
        return [headers['content-disposition'], headers['content-type']];
      }),
    );
    const { periodStart, periodEnd } = trader.obligation;
    expect(names).toEqual([
      [`attachment; filename="VAT-return-receipt-${periodStart}-to-${periodEnd}.pdf"`, 'application/pdf'],
      [`attachment; filename="VAT-refund-offer-${periodStart}-to-${periodEnd}-version-1.pdf"`, 'application/pdf'],
      [`attachment; filename="VAT-refund-agreement-${periodStart}-to-${periodEnd}.pdf"`, 'application/pdf'],
      ['attachment; filename="Statement-of-account-2026-11-01-to-2026-12-31.pdf"', 'application/pdf'],
      ['attachment; filename="Statement-of-account-2026-11-01-to-2026-12-31.csv"', 'text/csv; charset=utf-8'],
      ['attachment; filename="Journals-for-Xero-2026-11-01-to-2026-12-31.csv"', 'text/csv; charset=utf-8'],
    ]);
  });

  it('as a PDF has a title, a language, headings, header cells, bookmarks and its fonts', async () => {
    for (const [path, getQuery] of FILES.slice(0, 4)) {
      const pdf = await readPdf((await download(path, getQuery())).bytes);
      expect(pdf.language).toBe('en-GB');
      const tags = pdf.texts.map(({ tag }) => tag);
      expect(pdf.texts.filter(({ tag }) => tag === 'H1').map(({ text }) => text)).toEqual([pdf.title]);
      expect(pdf.texts.filter(({ tag }) => tag === 'H2').map(({ text }) => text)).toEqual(pdf.bookmarks);
      expect(pdf.bookmarks.length).toBeGreaterThan(1);
      expect(new Set(tags)).toEqual(new Set(['P', 'H1', 'H2', 'TH', 'TD']));
      for (const row of pdf.rows) expect(row[0]?.tag).toBe('TH');
      // A PDF/UA-1 file (ISO 14289-1) identifies itself, shows the title and embeds every font.
      for (const marker of ['/Marked true', '/DisplayDocTitle true', '/Scope /Row', '<pdfuaid:part>1</pdfuaid:part>']) {
        expect([path, marker, pdf.source.includes(marker)]).toEqual([path, marker, true]);
      }
      expect(pdf.source.match(/\/FontFile2/g)).toHaveLength(pdf.source.match(/\/Type \/FontDescriptor/g)?.length ?? 0);
    }
  });

  it('rejects a period whose last day is before its first or hasn’t come yet, a missing one, and a return that we didn’t file', async () => {
    const wrongResponse = await download('statement', { from: '2026-12-31', to: '2026-11-01' });
    expect([wrongResponse.status, JSON.parse(wrongResponse.text).message]).toEqual([
      400,
      { to: 'Choose a last day on or after the first day' },
    ]);
    expect((await download('statement', { from: '2026-12-31' })).status).toBe(400);
    for (const [path, query] of [
      ['statement', {}],
      ['statement', { format: 'csv' }],
      ['journals', { software: 'xero' }],
    ] as const) {
      const futureResponse = await download(path, { ...query, from: '2026-12-31', to: '2027-06-30' });
      expect([futureResponse.status, JSON.parse(futureResponse.text).message]).toEqual([
        400,
        { to: 'Choose a last day that isn’t after today' },
      ]);
    }
    expect((await download('receipt', { obligation_id: crypto.randomUUID() })).status).toBe(404);
  });
});

const read = async (path: string, query: Record<string, string>) => readPdf((await download(path, query)).bytes);
const findValue = (pdf: Awaited<ReturnType<typeof readPdf>>, name: string) => pdf.rows.find(([first]) => first?.text === name)?.[1]?.text;

describe('the receipt', () => {
  it('has HMRC’s numbers, the nine boxes as filed and the declaration', async () => {
    const { body } = await trader.browser.get('/instant-vat/vat-return', {
      company_id: trader.companyId,
      obligation_id: trader.obligation.id,
    });
    const receipt = body['receipt'] as Record<string, string>;
    const pdf = await read('receipt', { obligation_id: trader.obligation.id });
    expect(findValue(pdf, 'Form bundle number')).toBe(receipt['form_bundle_number']);
    expect(findValue(pdf, 'Receipt ID')).toBe(receipt['receipt_id']);
    expect(findValue(pdf, 'Result')).toBe('HMRC owes you £4,000.00');
    expect(pdf.rows.filter(([box]) => /^\d$/.test(box?.text ?? '')).map((cells) => cells[2]?.text)).toHaveLength(9);
    expect(pdf.rows.find(([box]) => box?.text === '5')?.map(({ text }) => text)).toEqual([
      '5',
      'Net VAT to pay to HMRC or reclaim',
      '£4,000.00',
    ]);
    expect(pdf.texts.map(({ text }) => text)).toContain(receipt['declaration']);
  });
});

describe('the offer', () => {
  it('has the price as quoted, and the VAT treatment of our fee with its source', async () => {
    const pdf = await read('quote', { advance_id: advance.advance_id });
    expect(pdf.rows.slice(0, 3).map((cells) => cells[1]?.text)).toEqual(['£4,000.00', '−£40.00', '£3,960.00']);
    expect(pdf.texts.find(({ text }) => text.includes('exempt from VAT'))?.text).toContain('VAT Notice 701/49');
  });
});

describe('the agreement', () => {
  it('has every word that was accepted, who accepted it, and the fingerprint of the text', async () => {
    const { body } = await trader.browser.get('/instant-vat/advance', { company_id: trader.companyId });
    const { text } = (body['advance'] as { agreement: { text: string } }).agreement;
    const pdf = await read('agreement', { advance_id: advance.advance_id });
    const words = pdf.texts.map((part) => part.text).join(' ');
    // Headings omit the full stop of their clause.
    const stripStops = (text: string) => text.replaceAll(/[.\s]+/g, ' ');
    for (const clause of text.split('\n')) expect(stripStops(words)).toContain(stripStops(clause).trim());
    expect(findValue(pdf, 'Accepted by')).toBe(trader.fullName);
    const hash = createHash('sha256').update(text).digest('hex');
    expect(findValue(pdf, 'SHA-256 of the text')?.replace(' ', '')).toBe(hash);
  });

  it('says so if it was not accepted', async () => {
    const openAdvance = await findAdvance(otherTrader);
    const { bytes, headers } = await download(
      'agreement',
      { company_id: otherTrader.companyId, advance_id: openAdvance.advance_id },
      otherTrader.cookie,
    );
    expect(headers['content-disposition']).toContain('not-accepted');
    expect((await readPdf(bytes)).texts.some(({ text }) => text.startsWith('Not accepted.'))).toBe(true);
  });
});

describe('the statement of account', () => {
  it('agrees with the ledger to the penny, and opens with the previous month’s closing balance', async () => {
    const sums = await getTrialBalance(portal, trader.companyId);
    const expected = (sums['refunds_receivable'] ?? 0) + (sums['due_from_trader'] ?? 0) + (sums['owed_to_trader'] ?? 0);
    expect(expected).toBe(-25_00);
    const november = (await download('statement', { from: '2026-11-01', to: '2026-11-30', format: 'csv' })).text.trimEnd().split('\r\n');
    const december = (await download('statement', { from: '2026-12-01', to: '2026-12-31', format: 'csv' })).text.trimEnd().split('\r\n');
    const { periodStart, periodEnd } = trader.obligation;
    const days = `${periodStart},${periodEnd}`;
    expect(november).toEqual([
      '\uFEFFDate,Description,VAT period from,VAT period to,Amount (£),Balance (£)',
      '2026-11-01,Opening balance,,,,0.00',
      `2026-11-10,Paid to you,${days},3960.00,3960.00`,
      `2026-11-10,Our fee,${days},40.00,4000.00`,
      '2026-11-30,Closing balance,,,,4000.00',
    ]);
    expect(december.slice(1)).toEqual([
      '2026-12-01,Opening balance,,,,4000.00',
      '2026-12-08,Received from Somebody Else Ltd,,,-25.00,3975.00',
      `2026-12-08,Repaid by HMRC,${days},-4000.00,-25.00`,
      '2026-12-31,Closing balance,,,,-25.00',
    ]);
  });

  it('has the same figures as a PDF, with a breakdown of the balance', async () => {
    const pdf = await read('statement', PERIOD);
    expect(findValue(pdf, 'Opening balance on 1 November 2026')).toBe('£0.00');
    expect(findValue(pdf, 'Closing balance on 31 December 2026')).toBe('−£25.00');
    expect(pdf.texts.some(({ text }) => text.endsWith('We hold £25.00 for you.'))).toBe(true);
    expect(pdf.source).toContain('/Scope /Column');
  });
});

describe('the journals', () => {
  it('balance, use the accounts that the trader chose, and never run as formulas', async () => {
    const ids = { company_id: trader.companyId };
    const savedResponse = await trader.browser.post('/instant-vat/documents/journal-accounts', { ...ids, software: 'xero', ...ACCOUNTS });
    expect(savedResponse.status).toBe(200);
    const lines = (await download('journals', { ...PERIOD, software: 'xero' })).text.trimEnd().split('\r\n').slice(1);
    const cells = lines.map((line) => line.split(','));
    expect(cells.map((line) => [line[3], line[5]])).toEqual([
      ['850', '3960.00'],
      ['404', '40.00'],
      ['835', '-4000.00'],
      ['850', '-25.00'],
      ['835', '25.00'],
      ['820', '-4000.00'],
      ['835', '4000.00'],
    ]);
    expect(sumPence(cells.map((line) => parsePounds(line[5] ?? '') ?? (NaN as never)))).toBe(0);
    const { body } = await trader.browser.get('/instant-vat/documents', ids);
    expect(body['journal_accounts']).toMatchObject({ xero: ACCOUNTS, quickbooks: { fee: 'Finance costs' } });
    const rejectedResponse = await trader.browser.post('/instant-vat/documents/journal-accounts', {
      ...ids,
      software: 'xero',
      ...ACCOUNTS,
      fee: ' ',
    });
    expect([rejectedResponse.status, rejectedResponse.body['message']]).toEqual([400, { fee: 'Enter the account’s code or name' }]);
  });
});

describe('the list of documents', () => {
  it('has each period once, with its receipt, offers and agreement, and the balance', async () => {
    const { body } = await trader.browser.get('/instant-vat/documents', { company_id: trader.companyId });
    expect(body['periods']).toEqual([
      {
        obligation_id: trader.obligation.id,
        period_start: trader.obligation.periodStart,
        period_end: trader.obligation.periodEnd,
        filed_at: expect.any(String),
        offers: [expect.objectContaining({ advance_id: advance.advance_id, state: 'settled', net_pence: 3_960_00 })],
      },
    ]);
    expect(body['account']).toMatchObject({ first_on: '2026-11-10', balance_pence: -25_00 });
  });
});
