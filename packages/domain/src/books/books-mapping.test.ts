import { describe, expect, it } from 'vitest';
import { plainDate } from '../plain-date.ts';
import { suggestTargets } from '../tables/recognise-columns.ts';
import { BOOKS_FILE_COLUMNS, type BooksTable, listMissingColumns, recogniseKind, recogniseTreatment } from './books-mapping.ts';
import { findCoverageGaps } from './find-coverage-gaps.ts';
import { groupRowErrors } from './group-row-errors.ts';
import { createCellNormaliser } from './tidy-books-cells.ts';

const suggestColumns = (line: string) => suggestTargets(line.split(','), [], BOOKS_FILE_COLUMNS, {});
const NO_FIXED_VALUES = { fixedKind: null, fixedTreatment: null };

const createTable = (headings: string, overrides: Partial<BooksTable> = {}): BooksTable => ({
  sheet: 0,
  headerLine: 1,
  sheets: [],
  firstLines: [],
  headings: headings.split(','),
  samples: [],
  columns: suggestColumns(headings).columns,
  ...NO_FIXED_VALUES,
  kinds: [],
  treatments: [],
  gaps: [],
  ...overrides,
});

describe('the columns of a books file', () => {
  it('are recognised under the headings of other software', () => {
    expect(suggestColumns('Invoice Date,Type,Invoice No.,Contact,Description,Net (£),VAT (£),Tax Rate')).toEqual({
      columns: ['date', 'kind', 'reference', 'counterparty', 'description', 'net', 'vat', 'treatment'],
      isSettled: true,
    });
    expect(suggestColumns('Date,Type,Customer,Gross,VAT,VAT Code').isSettled).toBe(true);
    expect(suggestColumns('Date,Type,Net,VAT %,VAT').columns).toEqual(['date', 'kind', 'net', 'treatment', 'vat']);
    expect(suggestColumns('Date,Type,Customer,Amount,VAT,VAT Code')).toMatchObject({ isSettled: false });
  });

  it('name what is missing', () => {
    expect(listMissingColumns(['date', 'gross'], NO_FIXED_VALUES)).toEqual(['kind', 'net', 'vat', 'treatment']);
    expect(listMissingColumns(['date', 'gross', 'net'], { fixedKind: 'sale', fixedTreatment: 'standard' })).toEqual([]);
  });

  it.each([
    ['Sales invoice', 'sale'],
    ['ACCPAY', 'purchase'],
    ['Sales Credit Note', 'sale_credit'],
    ['Credit note', undefined],
    ['Journal', undefined],
  ])('reads the kind %j as %s', (text, meaning) => {
    expect(recogniseKind(text)).toBe(meaning);
  });

  it.each([
    ['20% (VAT on Income)', 'standard'],
    ['20.0%', 'standard'],
    ['20.00% (VAT on Expenses)', 'standard'],
    ['17.5% (VAT on Expenses)', undefined],
    ['0.2', 'standard'],
    ['5', 'reduced'],
    ['Zero Rated Expenses', 'zero'],
    ['No VAT', 'no_vat'],
    ['T9', 'no_vat'],
    ['postponed_import_vat', 'postponed_import_vat'],
    ['0%', undefined],
    ['17.5%', undefined],
  ])('reads the treatment %j as %s', (text, meaning) => {
    expect(recogniseTreatment(text)).toBe(meaning);
  });

  it('uses what a company chose before', () => {
    expect(recogniseKind('Journal', { journal: 'purchase' })).toBe('purchase');
    expect(recogniseTreatment('0%', { 0: 'zero' })).toBe('zero');
  });
});

describe('the cells of a books file', () => {
  it('become those of the template', () => {
    const normaliseCells = createCellNormaliser(createTable('Type,Customer,Date,Net,VAT,Tax rate'));
    expect(normaliseCells(['Sales invoice', ' Hull Ltd ', '4 May 2026', '£1,000.50', '(200.10)', '20%'])).toEqual([
      '2026-05-04',
      'sale',
      '',
      'Hull Ltd',
      '',
      '1000.50',
      '-200.10',
      'standard',
    ]);
  });

  it('get the missing amount from the gross one, to the penny', () => {
    const net = createCellNormaliser(createTable('Date,Type,Total,VAT,VAT rate'));
    expect(net(['1/5/26', 'Bill', '£120.01', '20.00', 'T1']).slice(5, 7)).toEqual(['100.01', '20.00']);
    expect(net(['1/5/26', 'Bill', '£120.01', '', 'T0']).slice(5, 7)).toEqual(['120.01', '']);
    const vat = createCellNormaliser(createTable('Date,Type,Total,Net,VAT rate'));
    expect(vat(['1/5/26', 'Bill', '120.01', '100.01', 'T1']).slice(5, 7)).toEqual(['100.01', '20.00']);
    expect(vat(['1/5/26', 'Bill', 'abc', '100.01', 'T1']).slice(5, 7)).toEqual(['100.01', 'abc']);
  });

  it('of a credit note are negative, whichever sign they have', () => {
    const normaliseCells = createCellNormaliser(createTable('Date,Type,Net,VAT,VAT rate'));
    for (const amount of ['10.00', '-10.00'])
      expect(normaliseCells(['1/5/26', 'Sales credit note', amount, '2', '20%']).slice(0, 7)).toEqual([
        '2026-05-01',
        'sale',
        '',
        '',
        '',
        '-10.00',
        '-2.00',
      ]);
  });

  it('keep what cannot be read, for the error message', () => {
    const normaliseCells = createCellNormaliser(createTable('Date,Type,Net,VAT,VAT rate'));
    expect(normaliseCells(['soon', 'Journal', '$5', 'x', '0%'])).toEqual(['soon', 'Journal', '', '', '', '$5', 'x', '0%']);
  });
});

describe('the errors of a books file', () => {
  it('are grouped if they differ only in their value', () => {
    const createRowError = (line: number, value: string) => ({ line, column: 'net', reason: `“${value}” isn’t an amount` });
    const errors = [
      createRowError(4, 'a'),
      createRowError(9, 'b'),
      createRowError(12, 'a'),
      { line: 5, column: 'vat', reason: 'the VAT amount is missing' },
    ];
    expect(groupRowErrors(errors)).toEqual([
      { column: 'net', reason: '“a” (also “b”) isn’t an amount', count: 3, lines: [4, 9, 12] },
      { column: 'vat', reason: 'the VAT amount is missing', count: 1, lines: [5] },
    ]);
  });
});

describe('a file that covers part of a period', () => {
  const quarter = { periodStart: plainDate('2026-04-01'), periodEnd: plainDate('2026-06-30') };
  const findGaps = (dates: readonly string[], today = '2026-07-10') =>
    findCoverageGaps(
      [quarter],
      dates.map((date) => plainDate(date)),
      plainDate(today),
    );

  it('is found by its first and last dates', () => {
    expect(findGaps(['2026-05-12', '2026-04-01'])).toEqual([{ ...quarter, first: '2026-04-01', last: '2026-05-12' }]);
    expect(findGaps(['2026-04-20', '2026-06-30'])).toHaveLength(1);
  });

  it.each([
    ['a few quiet days', ['2026-04-10', '2026-06-18'], '2026-07-10'],
    ['a period that still runs', ['2026-04-01'], '2026-06-30'],
    ['no rows in the period', ['2026-01-01'], '2026-07-10'],
  ])('is not reported for %s', (_, dates, today) => {
    expect(findGaps(dates, today)).toEqual([]);
  });
});
