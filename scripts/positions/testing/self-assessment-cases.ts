import { createBalance, createDeclaration, createDocument, SA_CLIENT, createUpdates, type PositionsCase } from './positions-case.ts';

const today = '2026-11-22';
const createSelfAssessmentCase = (
  name: string,
  source: string,
  fields: Partial<PositionsCase> & Pick<PositionsCase, 'items' | 'totals'>,
): PositionsCase => ({
  name: `Self Assessment: ${name}`,
  source,
  today,
  client: SA_CLIENT,
  ...fields,
});
const nil = ['0.00', '0.00', '0.00'] as const;
/** 2025-26 has been filed, so no payment is expected by rule. */
const filedDeclarations = { itsa_final_declaration: createDeclaration('2026-04-05', '2027-01-31', '2026-09-01') };
const FILED = 'sa final_declaration 2027-01-31 ? done hmrc';
const createAccount = (...documents: readonly Readonly<Record<string, unknown>>[]) => ({
  ...filedDeclarations,
  sa_balance_and_transactions: createBalance(documents),
});

export const SELF_ASSESSMENT_CASES: readonly PositionsCase[] = [
  createSelfAssessmentCase('never read: the dates follow from the law', 'TMA 1970 ss8(1D), 59A(2), 59B(4); SAM60080', {
    items: [
      'sa return 2027-01-31 ? upcoming rule',
      'sa balancing_payment 2027-01-31 ? upcoming rule',
      'sa payment_on_account 2027-01-31 ? upcoming rule',
      'sa payment_on_account 2027-07-31 ? upcoming rule',
    ],
    totals: null,
    unknown: ['sa'],
  }),
  createSelfAssessmentCase('not signed up to Making Tax Digital: nothing at HMRC, the dates stay', 'docs/reference/hmrc.md section 6', {
    hmrc: {
      sa_balance_and_transactions: { code: 'MATCHING_RESOURCE_NOT_FOUND', message: 'Matching resource not found' },
      itsa_obligations: { code: 'NO_OBLIGATIONS_FOUND', message: 'No obligations found' },
      itsa_final_declaration: {},
    },
    items: [
      'sa return 2027-01-31 ? upcoming rule',
      'sa balancing_payment 2027-01-31 ? upcoming rule',
      'sa payment_on_account 2027-01-31 ? upcoming rule',
      'sa payment_on_account 2027-07-31 ? upcoming rule',
    ],
    totals: nil,
  }),
  createSelfAssessmentCase('an empty account is nil', 'docs/reference/hmrc.md section 6.1', {
    hmrc: createAccount(),
    items: [FILED],
    totals: nil,
  }),
  createSelfAssessmentCase(
    'half of the payments on account is due on 31 January, half on 31 July',
    'TMA 1970 s59A(2); GOV.UK example of 2021-22',
    {
      hmrc: createAccount(
        createDocument('ITSA- Bal Charge', '2025-26', 1200, '2027-01-31'),
        createDocument('ITSA- POA 1', '2026-27', 1500, '2027-01-31'),
        createDocument('ITSA - POA 2', '2026-27', 1500, '2027-07-31'),
      ),
      items: [
        FILED,
        'sa balancing_payment 2027-01-31 1200.00 upcoming hmrc',
        'sa payment_on_account 2027-01-31 1500.00 upcoming hmrc',
        'sa payment_on_account 2027-07-31 1500.00 upcoming hmrc',
      ],
      totals: ['4200.00', '0.00', '0.00'],
    },
  ),
  createSelfAssessmentCase('an odd penny is on the second payment on account', 'SAM1100', {
    hmrc: createAccount(
      createDocument('ITSA- POA 1', '2026-27', 750.5, '2027-01-31'),
      createDocument('ITSA - POA 2', '2026-27', 750.51, '2027-07-31'),
    ),
    items: [FILED, 'sa payment_on_account 2027-01-31 750.50 upcoming hmrc', 'sa payment_on_account 2027-07-31 750.51 upcoming hmrc'],
    totals: ['1501.01', '0.00', '0.00'],
  }),
  createSelfAssessmentCase('a part payment of a payment on account leaves the rest overdue', 'TMA 1970 s59A(2)', {
    hmrc: createAccount(
      createDocument('ITSA - POA 2', '2025-26', 900, '2026-07-31', { originalAmount: 1500 }),
      createDocument('ITSA- POA 1', '2025-26', 0, '2026-01-31', { originalAmount: 1500 }),
    ),
    items: ['sa payment_on_account 2026-01-31 0.00 done hmrc', 'sa payment_on_account 2026-07-31 900.00 overdue hmrc', FILED],
    totals: ['900.00', '900.00', '0.00'],
  }),
  createSelfAssessmentCase('dates that HMRC leaves out follow from the tax year', 'TMA 1970 ss59A(2), 59B(4)', {
    hmrc: createAccount(
      createDocument('ITSA- Bal Charge', '2025-26', 300, undefined),
      createDocument('ITSA- POA 1', '2026-27', 100, undefined),
      createDocument('ITSA - POA 2', '2026-27', 100, undefined),
    ),
    items: [
      FILED,
      'sa balancing_payment 2027-01-31 300.00 upcoming hmrc',
      'sa payment_on_account 2027-01-31 100.00 upcoming hmrc',
      'sa payment_on_account 2027-07-31 100.00 upcoming hmrc',
    ],
    totals: ['500.00', '0.00', '0.00'],
  }),
  createSelfAssessmentCase('due on 31 January itself, overdue on 1 February', 'TMA 1970 s59B(4)', {
    today: '2027-02-01',
    hmrc: createAccount(
      createDocument('ITSA- Bal Charge', '2025-26', 300, '2027-01-31'),
      createDocument('ITSA- POA 1', '2026-27', 5, '2027-02-01'),
    ),
    items: [
      FILED,
      'sa balancing_payment 2027-01-31 300.00 overdue hmrc',
      'sa payment_on_account 2027-02-01 5.00 due hmrc',
      'sa return 2028-01-31 ? upcoming rule',
      'sa balancing_payment 2028-01-31 ? upcoming rule',
      'sa payment_on_account 2028-01-31 ? upcoming rule',
    ],
    totals: ['305.00', '300.00', '0.00'],
  }),
  createSelfAssessmentCase('"TRM New Charge" is a balancing payment', 'hmrc/income-tax-view-change-frontend, DocumentDetail', {
    hmrc: createAccount(createDocument('TRM New Charge', '2025-26', 88.4, '2027-01-31')),
    items: [FILED, 'sa balancing_payment 2027-01-31 88.40 upcoming hmrc'],
    totals: ['88.40', '0.00', '0.00'],
  }),
  createSelfAssessmentCase(
    'what is collected through the tax code is not to be paid',
    'ITEPA 2003 s684; docs/reference/hmrc.md section 6.1',
    {
      hmrc: createAccount(createDocument('ITSA- Bal Charge', '2025-26', 2000, '2027-01-31', { isCodedOut: true })),
      items: [FILED, 'sa balancing_payment 2027-01-31 0.00 done hmrc'],
      totals: nil,
    },
  ),
  createSelfAssessmentCase('interest that HMRC has charged is apart from the tax', 'FA 2009 s101; docs/reference/hmrc.md section 6.1', {
    hmrc: createAccount(
      createDocument('ITSA- Bal Charge', '2024-25', 0, '2026-01-31', {
        originalAmount: 1000,
        latePaymentInterest: {
          accruingInterestAmount: 14.5,
          interestRate: 7.75,
          interestStartDate: '2026-02-01',
          interestEndDate: '2026-04-09',
          interestAmount: 14.5,
          interestOutstandingAmount: 12.25,
        },
      }),
    ),
    items: ['sa balancing_payment 2026-01-31 0.00 done hmrc', 'sa interest 2026-04-09 12.25 overdue hmrc', FILED],
    totals: ['12.25', '12.25', '0.00'],
  }),
  createSelfAssessmentCase('interest that still accrues is not charged yet', 'FA 2009 s101', {
    hmrc: createAccount(
      createDocument('ITSA- Bal Charge', '2024-25', 1000, '2026-01-31', {
        latePaymentInterest: { accruingInterestAmount: 62.63, interestRate: 7.75 },
      }),
    ),
    items: ['sa balancing_payment 2026-01-31 1000.00 overdue hmrc', FILED],
    totals: ['1000.00', '1000.00', '0.00'],
  }),
  createSelfAssessmentCase('a penalty is apart from the tax', 'FA 2009 Sch 55', {
    hmrc: createAccount(createDocument('Late Filing Penalty', '2024-25', 100, '2026-11-29')),
    items: ['sa penalty 2026-11-29 100.00 due hmrc', FILED],
    totals: ['100.00', '0.00', '0.00'],
  }),
  createSelfAssessmentCase('a credit on the account comes back', 'docs/reference/hmrc.md section 6.1', {
    hmrc: { ...filedDeclarations, sa_balance_and_transactions: createBalance([], { availableCredit: 250.1, totalCredit: 250.1 }) },
    items: ['sa refund 2026-12-22 250.10 upcoming hmrc', FILED],
    totals: ['0.00', '0.00', '250.10'],
  }),
  createSelfAssessmentCase('a credit that is also among the documents counts once', 'docs/reference/hmrc.md section 6.1', {
    hmrc: {
      ...filedDeclarations,
      sa_balance_and_transactions: createBalance([createDocument('Payment', '2025-26', -250.1, '2026-11-01')], { availableCredit: 250.1 }),
    },
    items: ['sa refund 2026-10-31 250.10 overdue hmrc', FILED],
    totals: ['0.00', '0.00', '250.10'],
  }),
  createSelfAssessmentCase('a payment that is used up isn’t a refund', 'docs/reference/hmrc.md section 6.1', {
    hmrc: createAccount(createDocument('Payment', '2025-26', 0, '2026-01-31', { originalAmount: -1500 })),
    items: [FILED],
    totals: nil,
  }),
  createSelfAssessmentCase(
    'quarterly updates are neither tax years nor returns',
    'SI 2021/1076 reg 5: 7 August, 7 November, 7 February, 7 May',
    {
      hmrc: {
        itsa_obligations: createUpdates(
          ['2026-07-05', '2026-08-07', '2026-08-01'],
          ['2026-10-05', '2026-11-07'],
          ['2027-01-05', '2027-02-07'],
          ['2027-04-05', '2027-05-07'],
        ),
        ...createAccount(),
      },
      items: [
        'sa quarterly_update 2026-08-07 ? done hmrc',
        'sa quarterly_update 2026-11-07 ? overdue hmrc',
        FILED,
        'sa quarterly_update 2027-02-07 ? upcoming hmrc',
        'sa quarterly_update 2027-05-07 ? upcoming hmrc',
      ],
      totals: nil,
    },
  ),
  createSelfAssessmentCase('a year with quarterly updates ends with a final declaration', 'SI 2021/1076; TMA 1970 s8', {
    today: '2027-03-01',
    hmrc: { itsa_obligations: createUpdates(['2027-04-05', '2027-05-07']), sa_balance_and_transactions: createBalance([]) },
    items: [
      'sa quarterly_update 2027-05-07 ? upcoming hmrc',
      'sa payment_on_account 2027-07-31 ? upcoming rule',
      'sa final_declaration 2028-01-31 ? upcoming rule',
      'sa balancing_payment 2028-01-31 ? upcoming rule',
      'sa payment_on_account 2028-01-31 ? upcoming rule',
    ],
    totals: nil,
  }),
  createSelfAssessmentCase('the final declaration replaces the return by rule', 'TMA 1970 s8; SI 2021/1076', {
    hmrc: { itsa_final_declaration: createDeclaration('2026-04-05', '2027-01-31'), sa_balance_and_transactions: createBalance([]) },
    items: [
      'sa final_declaration 2027-01-31 ? upcoming hmrc',
      'sa balancing_payment 2027-01-31 ? upcoming rule',
      'sa payment_on_account 2027-01-31 ? upcoming rule',
      'sa payment_on_account 2027-07-31 ? upcoming rule',
    ],
    totals: nil,
  }),
];
