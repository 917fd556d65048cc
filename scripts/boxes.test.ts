import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const SCRIPT = join(import.meta.dirname, 'boxes.ts');
const HEADER = 'date,kind,reference,counterparty,description,net,vat,treatment';
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'boxes-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function runBoxes(text: string | undefined, args: readonly string[]) {
  const file = join(folder, 'books.csv');
  if (text !== undefined) writeFileSync(file, text);
  const { stdout, stderr, status } = spawnSync(process.execPath, [SCRIPT, ...(text === undefined ? [] : [file]), ...args], {
    encoding: 'utf8',
  });
  return { stdout, stderr, status, answer: JSON.parse(stdout) as Record<string, unknown> };
}

const QUARTER = ['--from', '2026-01-01', '--to', '2026-03-31'];

describe('npm run boxes', () => {
  it('prints one JSON object, with its members in a fixed order and nothing else', () => {
    const rows = [
      '2026-01-05,sale,S1,Acme,Goods,"1,000.50",200.10,standard',
      '05/01/2026,sale,S1,Acme,Goods again,1000.50,200.10,standard',
      '2026-02-01,purchase,P1,Cloud,Software,100.03,,imported_services',
      '2026-02-02,purchase,P2,Van,Van,10000,2000.00,capital',
      '2026-04-01,sale,S9,Acme,Later,5.00,1.00,standard',
    ];
    const { stdout, stderr, status } = runBoxes([HEADER, ...rows].join('\n'), QUARTER);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    // Box 1 = 2 x 200.10 + 20.01; box 4 = 20.01 + 2000; box 6 = 2 x 1000.50 + 100.03; box 7 = 100.03 + 10000.
    expect(stdout).toBe(
      '{"boxes":{"box1":"420.21","box2":"0.00","box3":"420.21","box4":"2020.01","box5":"1599.80","box6":2101,"box7":10100,"box8":0,"box9":0},' +
        '"direction":"repayment","rows":5,"outside_period":1,"flagged":1,"errors":[]}\n',
    );
  });

  it('prints the errors without boxes, and exits 1', () => {
    const { status, answer } = runBoxes(`${HEADER}\n2026-01-05,sale,S1,Acme,Goods,1.234,0.20,standard\n`, QUARTER);
    expect(status).toBe(1);
    expect(answer).toEqual({ rows: 1, errors: [{ line: 2, column: 'net', reason: expect.stringContaining('two decimal places') }] });
  });

  it.each([
    [['--from', '2026-01-01'], '--to'],
    [['--to', '2026-01-01'], '--from'],
    [['--from', '2026-02-30', '--to', '2026-03-31'], '--from'],
    [['--from', '2026-04-01', '--to', '2026-03-31'], '--to'],
    [[...QUARTER, 'second.csv'], 'FILE'],
    [[...QUARTER, '--verbose'], 'arguments'],
  ])('rejects the arguments %j and names the wrong one', (args, column) => {
    const { status, answer } = runBoxes(HEADER, args);
    expect(status).toBe(1);
    expect(answer).toEqual({ errors: [{ line: 0, column, reason: expect.any(String) }] });
  });

  it('rejects a missing file and a folder', () => {
    for (const path of [join(folder, 'none.csv'), folder]) {
      const { status, answer, stderr } = runBoxes(undefined, [path, ...QUARTER]);
      expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
      expect(answer).toEqual({ errors: [{ line: 0, column: 'FILE', reason: expect.stringContaining(path) }] });
    }
  });

  it('rejects amounts that are too large for a return', () => {
    const rows = Array.from({ length: 101 }, (_, index) => `2026-01-05,sale,S${index},Acme,Goods,99999999999.99,0.00,standard`);
    const { status, answer } = runBoxes([HEADER, ...rows].join('\n'), QUARTER);
    expect(status).toBe(1);
    expect(answer).toMatchObject({ errors: [{ line: 0, column: 'net', reason: expect.stringContaining('13 digits') }] });
  });

  describe('with the recordings of a provider', () => {
    const record = (files: Record<string, unknown>): string => {
      const data = mkdtempSync(join(folder, 'recordings-'));
      mkdirSync(data, { recursive: true });
      for (const [name, content] of Object.entries(files)) writeFileSync(join(data, `${name}.json`), JSON.stringify(content));
      return data;
    };
    const organisation = { Name: 'Alder Joinery Ltd', PaysTax: true, BaseCurrency: 'GBP', SalesTaxBasis: 'ACCRUAL' };

    it('prints the same JSON, and treats missing files as empty', () => {
      const invoices = Array.from({ length: 20 }, (_, index) => ({
        InvoiceID: `i${index}`,
        Type: 'ACCREC',
        Status: index === 19 ? 'DRAFT' : 'AUTHORISED',
        DateString: index === 18 ? '2026-04-01T00:00:00' : '2026-01-05T00:00:00',
        InvoiceNumber: `INV-${index}`,
        LineAmountTypes: 'Exclusive',
        LineItems: [{ TaxType: 'OUTPUT2', LineAmount: 100.05, TaxAmount: 20.01 }],
      }));
      const data = record({ Organisation: [organisation], Invoices: invoices });
      const { stdout, stderr, status } = runBoxes(undefined, ['--source', 'xero', '--data', data, ...QUARTER]);
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      // 18 invoices: box 1 = 18 x 20.01 = 360.18, box 6 = 18 x 100.05 = 1,800.90.
      expect(stdout).toBe(
        '{"boxes":{"box1":"360.18","box2":"0.00","box3":"360.18","box4":"0.00","box5":"360.18","box6":1801,"box7":0,"box8":0,"box9":0},' +
          '"direction":"payment","rows":18,"outside_period":1,"flagged":1,"errors":[]}\n',
      );
    });

    it('exits 1 for an organisation on the flat-rate scheme', () => {
      const data = record({ Organisation: [{ ...organisation, SalesTaxBasis: 'FLATRATECASH' }] });
      const { status, answer } = runBoxes(undefined, ['--source', 'xero', '--data', data, ...QUARTER]);
      expect(status).toBe(1);
      expect(answer).toEqual({ errors: [{ line: 0, column: 'SalesTaxBasis', reason: expect.stringContaining('flat rate') }] });
    });

    it.each([
      [['--source', 'sage', '--data', '.'], '--source'],
      [['--source', 'xero'], '--data'],
      [['--source', 'xero', '--data', 'none-such'], '--data'],
      [['--source', 'xero', '--data', '.', '--basis', 'both'], '--basis'],
      [['--source', 'freeagent', '--data', '.'], '--basis'],
      [['--source', 'quickbooks', '--data', '.', '--basis', 'cash'], '--basis'],
      [['--source', 'xero', '--data', '.', 'books.csv'], 'FILE'],
      [['books.csv', '--basis', 'cash'], '--basis'],
    ])('rejects the arguments %j and names the wrong one', (args, column) => {
      const { status, answer } = runBoxes(undefined, [...args, ...QUARTER]);
      expect(status).toBe(1);
      expect(answer).toEqual({ errors: [{ line: 0, column, reason: expect.any(String) }] });
    });
  });
});
