/** Each case shows the expected result for one source, rule or combination; the numbers are calculated by hand. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toInstant } from '@portal/domain/clock.ts';
import { pence, toPoundsText } from '@portal/domain/money.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { InputError } from './input-problems.ts';
import { printPositions, type PrintedItem } from './print-positions.ts';
import { readInput } from './read-input.ts';
import { SA_CLIENT, VAT_CLIENT, type PositionsCase } from './testing/positions-case.ts';
import { SELF_ASSESSMENT_CASES } from './testing/self-assessment-cases.ts';
import { STATEMENT_CASES } from './testing/statement-cases.ts';
import { VAT_CASES } from './testing/vat-cases.ts';

const READ_AT = toInstant(Date.parse('2026-11-22T00:00:00Z'));
const toPounds = (amount: number | null): string => (amount === null ? '?' : toPoundsText(pence(amount)));
const toLine = ({ tax, kind, due_on, amount_pence, status, source }: PrintedItem): string =>
  [tax, kind, due_on ?? '-', toPounds(amount_pence), status, source].join(' ');

function printCase({ today, client, hmrc, statements, companies_house, isWithoutRules }: PositionsCase) {
  const input = readInput({ client, hmrc, statements, companies_house }, READ_AT);
  const { items, totals, unknown_taxes } = printPositions(input, plainDate(today));
  const { owed_pence, overdue_pence, refund_pence } = totals;
  return {
    items: items.filter(({ source }) => !isWithoutRules || source !== 'rule').map(toLine),
    totals: owed_pence === null ? null : [owed_pence, overdue_pence, refund_pence].map(toPounds),
    unknown: unknown_taxes,
  };
}

const CASES = [...VAT_CASES, ...SELF_ASSESSMENT_CASES, ...STATEMENT_CASES];

describe('positions', () => {
  it.each(CASES)('$name ($source)', (positionsCase) => {
    const { items, totals, unknown = [] } = positionsCase;
    expect(printCase(positionsCase)).toEqual({ items, totals, unknown });
  });

  it('has totals that are the sums of its items', () => {
    for (const positionsCase of CASES) {
      const input = readInput(toFile(positionsCase), READ_AT);
      const { items, totals } = printPositions(input, plainDate(positionsCase.today));
      const sum = (isCounted: (item: PrintedItem) => boolean): number =>
        items.filter(isCounted).reduce((total, { amount_pence }) => total + (amount_pence ?? 0), 0);
      if (totals.owed_pence === null) continue;
      expect(totals).toEqual({
        owed_pence: sum(({ kind }) => kind !== 'refund'),
        overdue_pence: sum(({ kind, status }) => kind !== 'refund' && status === 'overdue'),
        refund_pence: sum(({ kind }) => kind === 'refund'),
      });
    }
  });
});

const toFile = ({ client, hmrc, statements, companies_house }: PositionsCase) => ({ client, hmrc, statements, companies_house });

/** The path that the error names, for each fault in the file. */
const REJECTED_INPUTS: readonly (readonly [what: string, content: unknown, field: string])[] = [
  ['no client', {}, 'client'],
  ['an unknown key', { client: VAT_CLIENT, bank: {} }, 'bank'],
  ['an unknown key of the client', { client: { ...VAT_CLIENT, colour: 'red' } }, 'client.colour'],
  ['an invalid VAT number', { client: { ...VAT_CLIENT, vrn: '123456789' } }, 'client.vrn'],
  ['an invalid year end', { client: { ...VAT_CLIENT, year_end: '2026-02-30' } }, 'client.year_end'],
  ['an unknown tax', { client: { ...VAT_CLIENT, taxes: 'VAT IHT' } }, 'client.taxes'],
  ['an unknown answer', { client: VAT_CLIENT, hmrc: { vat_returns: {} } }, 'hmrc.vat_returns'],
  [
    'a refusal by HMRC',
    { client: VAT_CLIENT, hmrc: { vat_obligations: { code: 'CLIENT_OR_AGENT_NOT_AUTHORISED' } } },
    'hmrc.vat_obligations',
  ],
  [
    'an amount that is text',
    { client: VAT_CLIENT, hmrc: { vat_liabilities: { liabilities: [{ type: 'VAT', originalAmount: '1' }] } } },
    'hmrc.vat_liabilities.liabilities[0].originalAmount',
  ],
  [
    'a fraction of a penny',
    { client: VAT_CLIENT, hmrc: { vat_liabilities: { liabilities: [{ type: 'VAT', originalAmount: 1.001 }] } } },
    'hmrc.vat_liabilities',
  ],
  [
    'a status in words',
    {
      client: VAT_CLIENT,
      hmrc: {
        vat_obligations: {
          obligations: [{ periodKey: '26A1', start: '2026-01-01', end: '2026-03-31', due: '2026-05-07', status: 'open' }],
        },
      },
    },
    'hmrc.vat_obligations.obligations[0].status',
  ],
  [
    'a day that doesn’t exist',
    {
      client: SA_CLIENT,
      hmrc: {
        itsa_final_declaration: {
          obligations: [{ periodStartDate: '2025-04-06', periodEndDate: '2026-02-31', dueDate: '2027-01-31', status: 'open' }],
        },
      },
    },
    'hmrc.itsa_final_declaration',
  ],
  ['an answer for another tax', { client: VAT_CLIENT, hmrc: { itsa_obligations: { obligations: [] } } }, 'hmrc.itsa_obligations'],
  ['a statement for another tax', { client: VAT_CLIENT, statements: { paye: [] } }, 'statements.paye'],
  ['a statement of VAT', { client: VAT_CLIENT, statements: { vat: [] } }, 'statements.vat'],
  [
    'a statement row of another employer',
    {
      client: { ...VAT_CLIENT, taxes: 'PAYE', paye_reference: '123/AB456' },
      statements: { paye: [{ reference: '999/ZZ1', entry: 'payment', amount: 1, received_on: '2026-11-01' }] },
    },
    'statements.paye[0].reference',
  ],
  [
    'an unknown key of a row',
    { client: { ...VAT_CLIENT, taxes: 'PAYE', paye_reference: '123/AB456' }, statements: { paye: [{ entry: 'payment', sum: 1 }] } },
    'statements.paye[0].sum',
  ],
  [
    'another company',
    {
      client: { ...VAT_CLIENT, company_number: '09482716' },
      companies_house: { company_number: '00000006', company_name: 'X', type: 'ltd' },
    },
    'companies_house.company_number',
  ],
];

describe('a file that isn’t accepted', () => {
  it.each(REJECTED_INPUTS)('because of %s names it', (_case, content, field) => {
    let error: unknown;
    try {
      readInput(content, READ_AT);
    } catch (caughtError) {
      error = caughtError;
    }
    expect(error).toBeInstanceOf(InputError);
    expect((error as InputError).problems.map((problem) => problem.field)).toContain(field);
  });
});

describe('npm run positions', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'positions-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  function run(content: string | undefined, args: readonly string[]) {
    const file = join(folder, 'client.json');
    if (content !== undefined) writeFileSync(file, content);
    const script = join(import.meta.dirname, '..', 'positions.ts');
    return spawnSync(process.execPath, [script, ...(content === undefined ? [] : [file]), ...args], { encoding: 'utf8' });
  }

  it('prints one JSON object with the documented members and nothing else', () => {
    const hmrc = {
      vat_liabilities: {
        liabilities: [
          {
            taxPeriod: { from: '2026-07-01', to: '2026-09-30' },
            type: 'VAT',
            originalAmount: 12.5,
            outstandingAmount: 12.5,
            due: '2026-11-07',
          },
        ],
      },
    };
    const { stdout, stderr, status } = run(JSON.stringify({ client: VAT_CLIENT, hmrc }), ['--today', '2026-11-22']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toBe(
      '{"items":[{"tax":"vat","kind":"payment","period_start":"2026-07-01","period_end":"2026-09-30","due_on":"2026-11-07","amount_pence":1250,"status":"overdue","source":"hmrc"}],' +
        '"totals":{"owed_pence":1250,"overdue_pence":1250,"refund_pence":0},"unknown_taxes":[]}\n',
    );
  });

  it.each([
    ['no file', undefined, ['--today', '2026-11-22'], 'FILE'],
    ['no date', '{}', [], '--today'],
    ['a date that doesn’t exist', '{}', ['--today', '2026-02-30'], '--today'],
    ['no JSON', 'client', ['--today', '2026-11-22'], 'FILE'],
    ['no object', '[]', ['--today', '2026-11-22'], 'FILE'],
    ['an unknown option', '{}', ['--day', '2026-11-22'], 'arguments'],
  ])('with %s names it and exits 1', (_case, content, args, field) => {
    const { stdout, stderr, status } = run(content, args);
    expect(status).toBe(1);
    expect(stderr).toContain(`${field}: `);
    expect(JSON.parse(stdout)).toMatchObject({ errors: expect.arrayContaining([expect.objectContaining({ field })]) });
  });
});
