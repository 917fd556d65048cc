import { describe, expect, it } from 'vitest';
import { createStatementMatcher, combineClientRows, type StatementClient, type StatementRow } from './combine-statements.ts';
import { parseStatementRow } from './parse-statement-row.ts';
import { formatStatementTemplate, parseStatementHeader, STATEMENT_COLUMNS, type StatementTax } from './statement-columns.ts';

const ALL_POSITIONS = Object.fromEntries(STATEMENT_COLUMNS.map((column, index) => [column, index]));
type Cells = Partial<Record<(typeof STATEMENT_COLUMNS)[number], string>>;
const parse = (tax: StatementTax, cells: Cells) =>
  parseStatementRow(
    STATEMENT_COLUMNS.map((column) => cells[column] ?? ''),
    ALL_POSITIONS,
    tax,
  );

const PAYE = '123/AB456';
/** This UTR has a valid check digit (hmrc/reference-checker, modulus 11). */
const UTR = '2234567890';
const CHARGE: Cells = { reference: PAYE, entry: 'charge', due_on: '2026-10-22', amount: '1,250.50', outstanding: '250.50' };
const PAYMENT: Cells = { reference: PAYE, entry: 'payment', received_on: '20/10/2026', amount: '1000' };
const RETURN: Cells = { reference: UTR, entry: 'return', period_start: '2025-01-01', period_end: '2025-12-31', due_on: '2026-12-31' };

describe('the header of a statement', () => {
  it('accepts columns in any order and ignores others', () => {
    const header = parseStatementHeader([
      'Outstanding',
      'Amount',
      'Received on',
      'Due_On',
      'period end',
      'period_start',
      'ENTRY',
      'Reference',
      'Notes',
    ]);
    expect(header).toMatchObject({ ok: true, positions: { outstanding: 0, amount: 1, received_on: 2, reference: 7 } });
  });

  it.each([
    [['reference', 'entry', 'amount'], '“period_start”, “period_end”, “due_on”, “received_on”, “outstanding”'],
    [[...STATEMENT_COLUMNS, 'Amount'], 'two columns called “amount”'],
    [[], '“reference”'],
  ])('is rejected when a figure would be missing: %j', (cells, reason) => {
    expect(parseStatementHeader(cells)).toEqual({ ok: false, reason: expect.stringContaining(reason) });
  });
});

describe('a row of a statement', () => {
  it.each<[string, StatementTax, Cells, object]>([
    [
      'a charge in pence',
      'paye',
      CHARGE,
      { entry: { entry: 'charge', fact: { original: 125_050, outstanding: 25_050, due: '2026-10-22', kind: 'tax' } } },
    ],
    ['a British date', 'paye', PAYMENT, { entry: { entry: 'payment', fact: { amount: 100_000, received: '2026-10-20' } } }],
    ['a pound sign', 'paye', { ...PAYMENT, amount: '£12.30' }, { entry: { fact: { amount: 1_230 } } }],
    [
      'a credit',
      'paye',
      { ...CHARGE, amount: '-40.00', outstanding: '-40.00', due_on: '' },
      { entry: { fact: { original: -4_000, outstanding: -4_000 } } },
    ],
    [
      'an untidy PAYE reference',
      'paye',
      { ...CHARGE, reference: ' 123 / ab456 ' },
      { reference: { field: 'paye_reference', value: PAYE } },
    ],
    ['a UTR', 'ct', RETURN, { reference: { field: 'utr', value: UTR }, entry: { fact: { status: 'open', due: '2026-12-31' } } }],
    ['a company number', 'ct', { ...RETURN, reference: '445790' }, { reference: { field: 'company_number', value: '00445790' } }],
    [
      'a return that came',
      'ct',
      { ...RETURN, received_on: '2026-06-30' },
      { entry: { fact: { status: 'fulfilled', received: '2026-06-30' } } },
    ],
    ['how an employer pays', 'paye', { ...CHARGE, pays: 'Quarterly' }, { pays: 'quarterly' }],
  ])('parses %s', (_case, tax, cells, expected) => {
    expect(parse(tax, cells)).toMatchObject({ problems: [], ...expected });
  });

  it.each<[string, StatementTax, Cells, readonly string[]]>([
    ['no reference', 'paye', { ...CHARGE, reference: '' }, ['reference']],
    ['a UTR with a wrong check digit', 'ct', { ...RETURN, reference: '1234567890' }, ['reference']],
    ['an unknown entry', 'paye', { ...CHARGE, entry: 'refund' }, ['entry']],
    ['a return of PAYE', 'paye', { ...RETURN, reference: PAYE }, ['entry']],
    ['three decimals', 'paye', { ...CHARGE, amount: '1.234' }, ['amount']],
    ['an exponent', 'paye', { ...CHARGE, amount: '1e5' }, ['amount']],
    ['more left than there was', 'paye', { ...CHARGE, outstanding: '1250.51' }, ['outstanding']],
    ['a debt left of a credit', 'paye', { ...CHARGE, amount: '-5', outstanding: '5' }, ['outstanding']],
    ['no due date', 'paye', { ...CHARGE, due_on: '' }, ['due_on']],
    ['a day that does not exist', 'paye', { ...CHARGE, due_on: '2026-02-30' }, ['due_on']],
    ['a payment that has not come', 'paye', { ...PAYMENT, received_on: '' }, ['received_on']],
    ['half a period', 'ct', { ...RETURN, period_end: '' }, ['period_end']],
    ['a period the wrong way round', 'ct', { ...RETURN, period_end: '2024-12-31' }, ['period_end']],
    ['a return without a period', 'ct', { ...RETURN, period_start: '', period_end: '' }, ['period_start']],
    ['several faults at once', 'paye', { ...CHARGE, amount: 'x', pays: 'weekly' }, ['pays', 'amount']],
    ['an endless cell', 'paye', { ...CHARGE, title: 'x'.repeat(201) }, ['title']],
  ])('is rejected for %s', (_case, tax, cells, fields) => {
    const row = parse(tax, cells);
    expect(row?.entry).toBeNull();
    expect(row?.problems.map(({ field }) => field)).toEqual(fields);
  });

  it('is skipped when empty', () => {
    expect(parse('paye', { reference: '  ' })).toBeUndefined();
  });
});

describe('the template', () => {
  it.each<[StatementTax]>([['paye'], ['ct']])('of %s parses without errors', (tax) => {
    const [header = '', ...lines] = formatStatementTemplate(tax).trimEnd().split('\r\n');
    expect(parseStatementHeader(header.split(','))).toMatchObject({ ok: true });
    for (const line of lines) {
      const cells = [...line.matchAll(/"([^"]*)"|([^,]*)(?:,|$)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
      expect(cells).toContain('Example Ltd');
    }
    expect(lines).toHaveLength(2);
  });
});

const createClient = (id: string, overrides: Partial<StatementClient> = {}): StatementClient => ({
  id,
  hasTax: true,
  paye_reference: null,
  utr: null,
  company_number: null,
  ...overrides,
});
const parseRows = (tax: StatementTax, list: readonly Cells[]): StatementRow[] =>
  list.flatMap((cells, index) => {
    const row = parse(tax, cells);
    return row ? [{ ...row, row: index + 2 }] : [];
  });

/** Does the same as the import: matches each row to its client, then combines each client's rows. */
function combineStatements(tax: StatementTax, rows: readonly StatementRow[], clients: readonly StatementClient[]) {
  const match = createStatementMatcher(tax, clients);
  const matchResults = rows.map((row) => ({ row, found: match(row) }));
  const matchedRows = matchResults.flatMap(({ row, found }) => (found.matched ? [{ row, clientId: found.clientId }] : []));
  const combined = [...Map.groupBy(matchedRows, ({ clientId }) => clientId)].map(([id, list]) =>
    combineClientRows(
      tax,
      id,
      list.map(({ row }) => row),
    ),
  );
  const rejectedRows = [
    ...matchResults.flatMap(({ found }) => (found.matched ? [] : [found.rejected])),
    ...combined.flatMap((result) => (result.isAccepted ? [] : result.rejected)),
  ];
  return {
    statements: combined.flatMap((result) => (result.isAccepted ? [result.statement] : [])),
    refused: rejectedRows.toSorted((a, b) => a.row - b.row),
  };
}

describe('combining statement rows', () => {
  const reed = createClient('reed', { paye_reference: PAYE });

  it('combines the rows of a client wherever they are in the file', () => {
    const otherCharge = { ...CHARGE, reference: '999/Z9' };
    const { statements, refused } = combineStatements('paye', parseRows('paye', [CHARGE, otherCharge, { ...PAYMENT, pays: 'quarterly' }]), [
      reed,
      createClient('oak', { paye_reference: '999/Z9' }),
    ]);
    expect(refused).toEqual([]);
    expect(statements).toMatchObject([
      { clientId: 'reed', charges: [{ outstanding: 25_050 }], payments: [{ amount: 100_000 }], pays: 'quarterly' },
      { clientId: 'oak', charges: [{}], payments: [] },
    ]);
  });

  it('gives the same result for any row order', () => {
    const list = [CHARGE, { ...CHARGE, due_on: '2026-09-22' }, PAYMENT, { ...PAYMENT, received_on: '2026-09-20' }];
    expect(combineStatements('paye', parseRows('paye', list.toReversed()), [reed])).toEqual(
      combineStatements('paye', parseRows('paye', list), [reed]),
    );
  });

  it('finds a company by its UTR or company number', () => {
    const clientWithBothReferences = createClient('co', { utr: UTR, company_number: '00445790' });
    const rows = parseRows('ct', [RETURN, { ...CHARGE, reference: '445790' }]);
    expect(combineStatements('ct', rows, [clientWithBothReferences])).toMatchObject({
      refused: [],
      statements: [{ returns: [{}], charges: [{}] }],
    });
  });

  it('rejects every row of a client when one is faulty, and reports each', () => {
    const rows = parseRows('paye', [CHARGE, { ...CHARGE, amount: 'x' }, PAYMENT]);
    expect(combineStatements('paye', rows, [reed])).toEqual({
      statements: [],
      refused: [
        { row: 2, field: 'reference', problem: expect.stringContaining('Line 3 for the same client') },
        { row: 3, field: 'amount', problem: expect.stringContaining('pounds') },
        { row: 4, field: 'reference', problem: expect.stringContaining('Line 3') },
      ],
    });
  });

  it.each<[string, readonly Cells[], readonly StatementClient[], string]>([
    ['no client has the reference', [CHARGE], [], 'None of your clients has this PAYE reference.'],
    ['the client does not have the tax', [CHARGE], [{ ...reed, hasTax: false }], 'PAYE isn’t switched on'],
    ['a charge is there twice', [CHARGE, CHARGE], [reed], 'This repeats line 2'],
    [
      'two ways of paying are said',
      [
        { ...CHARGE, pays: 'monthly' },
        { ...PAYMENT, pays: 'quarterly' },
      ],
      [reed],
      'says monthly',
    ],
  ])('rejects rows when %s', (_case, list, clients, problem) => {
    const { statements, refused } = combineStatements('paye', parseRows('paye', list), clients);
    expect(statements).toEqual([]);
    expect(refused).toHaveLength(list.length);
    expect(refused.map((rejection) => rejection.problem).join(' ')).toContain(problem);
  });

  it('counts two equal payments on one day as two', () => {
    expect(combineStatements('paye', parseRows('paye', [PAYMENT, PAYMENT]), [reed]).statements[0]?.payments).toHaveLength(2);
  });
});
