import { createLiability, QUARTERS, type PositionsCase } from './positions-case.ts';

const today = '2026-11-22';
const PAYE_CLIENT = { name: 'Example Joinery Ltd', kind: 'company', taxes: 'PAYE', paye_reference: '123/AB456' };
const CT_CLIENT = { name: 'Example Joinery Ltd', kind: 'company', taxes: ['ct'], company_number: '09482716' };
const createCharge = (due_on: string, amount: string, outstanding: string, overrides: object = {}) => ({
  entry: 'charge',
  due_on,
  amount,
  outstanding,
  ...overrides,
});
const createCompanyCase = (
  fields: Partial<PositionsCase> & Pick<PositionsCase, 'name' | 'source' | 'items' | 'totals'>,
): PositionsCase => ({
  today,
  client: CT_CLIENT,
  ...fields,
});
const createEmployerCase = (
  fields: Partial<PositionsCase> & Pick<PositionsCase, 'name' | 'source' | 'items' | 'totals'>,
): PositionsCase => ({
  today,
  client: PAYE_CLIENT,
  isWithoutRules: true,
  ...fields,
});
const nil = ['0.00', '0.00', '0.00'] as const;
const createAccounts = (next: string | undefined, last: string | undefined, overrides: object = {}) => ({
  company_name: 'EXAMPLE JOINERY LTD',
  company_number: '09482716',
  type: 'ltd',
  accounts: {
    ...(next ? { next_accounts: { period_end_on: next, due_on: '2027-12-31', overdue: false } } : {}),
    ...(last ? { last_accounts: { period_end_on: last, made_up_to: last, type: 'micro-entity' } } : { last_accounts: { type: 'null' } }),
  },
  ...overrides,
});

export const STATEMENT_CASES: readonly PositionsCase[] = [
  createEmployerCase({ name: 'PAYE: never read', source: 'issue 14', items: [], totals: null, unknown: ['paye'] }),
  createEmployerCase({ name: 'PAYE: an empty statement is nil', source: 'issue 14', statements: { paye: [] }, items: [], totals: nil }),
  createEmployerCase({
    name: 'PAYE: quarterly employers pay on the 22nd after the quarter',
    source: 'SI 2003/2682 regs 69, 70',
    isWithoutRules: undefined as never,
    statements: {
      paye: [createCharge('2026-10-22', '900.00', '0.00', { pays: 'quarterly', period_start: '2026-07-06', period_end: '2026-10-05' })],
    },
    items: [
      'paye payment 2026-10-22 0.00 done statement',
      'paye payment 2027-01-22 ? upcoming rule',
      'paye payment 2027-04-22 ? upcoming rule',
      'paye payment 2027-07-22 ? upcoming rule',
      'paye payment 2027-10-22 ? upcoming rule',
    ],
    totals: nil,
  }),
  createEmployerCase({
    name: 'PAYE: paid, part paid and due today',
    source: 'SI 2003/2682 reg 69: the 22nd after the tax month',
    statements: {
      paye: [
        createCharge('2026-09-22', '1250.00', '0.00', { period_start: '2026-08-06', period_end: '2026-09-05' }),
        createCharge('2026-10-22', '1250.00', '250.01', { period_start: '2026-09-06', period_end: '2026-10-05' }),
        createCharge('22/11/2026', '1300', '1300', { reference: '123/AB456', period_start: '06/10/2026', period_end: '05/11/2026' }),
        { entry: 'payment', received_on: '2026-09-20', amount: 1250 },
      ],
    },
    items: [
      'paye payment 2026-09-22 0.00 done statement',
      'paye payment 2026-10-22 250.01 overdue statement',
      'paye payment 2026-11-22 1300.00 due statement',
    ],
    totals: ['1550.01', '250.01', '0.00'],
  }),
  createEmployerCase({
    name: 'PAYE: penalties and interest are apart from tax',
    source: 'FA 2009 Sch 56; FA 2009 s101',
    statements: {
      paye: [
        createCharge('2026-11-30', '100.00', '100.00', { kind: 'penalty', title: 'Late FPS, month 6' }),
        createCharge('2026-11-29', '4.56', '4.56', { kind: 'interest', title: 'Interest' }),
      ],
    },
    items: ['paye interest 2026-11-29 4.56 due statement', 'paye penalty 2026-11-30 100.00 upcoming statement'],
    totals: ['104.56', '0.00', '0.00'],
  }),
  createEmployerCase({
    name: 'PAYE: an overpayment is set off against the month that is overdue',
    source: 'FA 2008 s130',
    statements: {
      paye: [
        createCharge('2026-10-22', '500.00', '500.00', { period_start: '2026-09-06', period_end: '2026-10-05' }),
        createCharge('2026-11-01', '-200.00', '-200.00', { title: 'Overpayment' }),
      ],
    },
    items: ['paye payment 2026-10-22 300.00 overdue statement', 'paye refund 2026-12-01 0.00 done statement'],
    totals: ['300.00', '300.00', '0.00'],
  }),
  createEmployerCase({
    name: 'PAYE: rows need no reference, because the file is about one client',
    source: 'README',
    client: { name: 'Example Ltd', kind: 'company', taxes: 'PAYE' },
    statements: {
      paye: [createCharge('2026-12-22', '10.00', '10.00'), createCharge('2026-10-22', '20.00', '20.00', { reference: '123/AB456' })],
    },
    items: ['paye payment 2026-10-22 20.00 overdue statement', 'paye payment 2026-12-22 10.00 upcoming statement'],
    totals: ['30.00', '20.00', '0.00'],
  }),
  createCompanyCase({
    name: 'CT: nine months and a day, and twelve months, after the practice’s year end',
    source: 'TMA 1970 s59D; FA 1998 Sch 18 para 14',
    client: { ...CT_CLIENT, year_end: '2026-03-31' },
    items: ['ct payment 2027-01-01 ? upcoming rule', 'ct return 2027-03-31 ? upcoming rule'],
    totals: null,
    unknown: ['ct'],
  }),
  createCompanyCase({
    name: 'CT: without a year end there is no date',
    source: 'docs/product/specification.md: dates appear once the year end is known',
    items: [],
    totals: null,
    unknown: ['ct'],
  }),
  createCompanyCase({
    name: 'CT: the year end from Companies House',
    source: 'TMA 1970 s59D: 30 September 2026 -> 1 July 2027',
    companies_house: createAccounts('2026-09-30', '2025-09-30'),
    items: ['ct payment 2027-07-01 ? upcoming companies_house', 'ct return 2027-09-30 ? upcoming companies_house'],
    totals: null,
    unknown: ['ct'],
  }),
  createCompanyCase({
    name: 'CT: 28 February keeps the month end: 1 December, and 29 February in a leap year',
    source: 'CTM01800; CTM93040',
    today: '2027-11-25',
    client: { ...CT_CLIENT, year_end: '28/02/2027' },
    items: ['ct payment 2027-12-01 ? due rule', 'ct return 2028-02-29 ? upcoming rule'],
    totals: null,
    unknown: ['ct'],
  }),
  createCompanyCase({
    name: 'CT: a year end within a month: 5 April 2026 -> 6 January 2027',
    source: 'CTM01800: 1 July 1999 -> 2 April 2000',
    client: { ...CT_CLIENT, year_end: '2026-04-05' },
    items: ['ct payment 2027-01-06 ? upcoming rule', 'ct return 2027-04-05 ? upcoming rule'],
    totals: null,
    unknown: ['ct'],
  }),
  createCompanyCase({
    name: 'CT: a first period of over twelve months is two accounting periods',
    source: 'CTA 2009 s10; CTM93050; faqct078',
    companies_house: createAccounts('2026-03-31', undefined, { date_of_creation: '2025-03-10' }),
    items: [
      'ct payment 2026-12-10 ? upcoming companies_house',
      'ct payment 2027-01-01 ? upcoming companies_house',
      'ct return 2027-03-31 ? upcoming companies_house',
      'ct return 2027-03-31 ? upcoming companies_house',
    ],
    totals: null,
    unknown: ['ct'],
  }),
  createCompanyCase({
    name: 'CT: the statement covers the dates of its period',
    source: 'TMA 1970 s59D; docs/product/specification.md',
    client: { ...CT_CLIENT, utr: '2234567890', year_end: '2025-12-31' },
    statements: {
      ct: [
        { reference: '2234567890', entry: 'return', period_start: '2025-01-01', period_end: '2025-12-31', due_on: '2026-12-31' },
        createCharge('2026-10-01', '4300.00', '4300.00', { period_start: '2025-01-01', period_end: '2025-12-31' }),
      ],
    },
    items: [
      'ct payment 2026-10-01 4300.00 overdue statement',
      'ct return 2026-12-31 ? upcoming statement',
      'ct payment 2027-10-01 ? upcoming rule',
    ],
    totals: ['4300.00', '4300.00', '0.00'],
  }),
  createCompanyCase({
    name: 'CT: a return on the statement is done once received',
    source: 'FA 1998 Sch 18 para 14',
    statements: {
      ct: [{ entry: 'return', period_start: '2025-01-01', period_end: '2025-12-31', due_on: '2026-12-31', received_on: '2026-06-30' }],
    },
    items: ['ct return 2026-12-31 ? done statement'],
    totals: nil,
  }),
  {
    name: 'two taxes: totals stay unknown while one was never read',
    source: 'issue 14',
    today,
    client: { name: 'Example Ltd', kind: 'company', taxes: 'VAT CT', company_number: '09482716' },
    hmrc: { vat_liabilities: { liabilities: [createLiability(QUARTERS.q2, 10, 10, '2026-08-07')] } },
    items: ['vat payment 2026-08-07 10.00 overdue hmrc'],
    totals: null,
    unknown: ['ct'],
  },
  {
    name: 'two taxes: totals add up once both were read',
    source: 'issue 14',
    today,
    client: { name: 'Example Ltd', kind: 'company', taxes: 'VAT, CT', company_number: '09482716' },
    hmrc: { vat_liabilities: { liabilities: [createLiability(QUARTERS.q2, 10, 10, '2026-08-07')] } },
    statements: { ct: [createCharge('2027-01-01', '100.10', '100.10', { period_start: '2025-04-01', period_end: '2026-03-31' })] },
    items: ['vat payment 2026-08-07 10.00 overdue hmrc', 'ct payment 2027-01-01 100.10 upcoming statement'],
    totals: ['110.10', '10.00', '0.00'],
  },
];
