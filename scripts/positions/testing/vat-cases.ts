import { createLiability, createObligation, QUARTERS, VAT_CLIENT, type PositionsCase } from './positions-case.ts';

const { q1, q2, q3, q4 } = QUARTERS;
const client = VAT_CLIENT;
const today = '2026-11-22';
const createVatCase = (
  name: string,
  source: string,
  fields: Partial<PositionsCase> & Pick<PositionsCase, 'items' | 'totals'>,
): PositionsCase => ({
  name: `VAT: ${name}`,
  source,
  today,
  client,
  ...fields,
});
const createLiabilities = (...list: readonly object[]) => ({ vat_liabilities: { liabilities: list } });
const createObligations = (...list: readonly object[]) => ({
  vat_obligations: { obligations: list },
  vat_liabilities: { liabilities: [] },
});
const nil = ['0.00', '0.00', '0.00'] as const;

const createLatePayment = (status: 'posted' | 'accruing', overrides: object) => ({
  latePaymentPenalty: {
    details: [
      {
        principalChargeReference: 'XV123451234512',
        penaltyCategory: 'LPP1',
        penaltyStatus: status,
        penaltyAmountAccruing: status === 'posted' ? 0 : 30.68,
        penaltyAmountPosted: status === 'posted' ? 60 : 0,
        principalChargeDocNumber: '10023852',
        principalChargeBillingFrom: q2[0],
        principalChargeBillingTo: q2[1],
        principalChargeDueDate: '2026-08-07',
        ...overrides,
      },
    ],
  },
});
const lateSubmission = {
  lateSubmissionPenalty: {
    summary: {
      activePenaltyPoints: 4,
      inactivePenaltyPoints: 0,
      periodOfComplianceAchievement: '2028-05-31',
      regimeThreshold: 4,
      penaltyChargeAmount: 200,
    },
    details: [
      {
        penaltyNumber: '000000004',
        penaltyOrder: '4',
        penaltyCategory: 'threshold',
        penaltyStatus: 'active',
        penaltyCreationDate: '2026-11-10',
        penaltyExpiryDate: '2028-12-01',
        lateSubmissions: [
          {
            lateSubmissionID: '001',
            taxReturnStatus: 'Open',
            taxPeriodStartDate: q3[0],
            taxPeriodEndDate: q3[1],
            taxPeriodDueDate: '2026-11-07',
          },
        ],
        chargeReference: 'XS123456789012',
        chargeAmount: 200,
        chargeOutstandingAmount: 200,
        chargeDueDate: '2026-12-10',
      },
    ],
  },
};

export const VAT_CASES: readonly PositionsCase[] = [
  createVatCase('never read', 'issue 14: a total is null while a tax was never read', { items: [], totals: null, unknown: ['vat'] }),
  createVatCase('read, and HMRC has nothing', 'docs/reference/hmrc.md section 3.3: nothing found is 404 NOT_FOUND', {
    hmrc: {
      vat_obligations: { code: 'NOT_FOUND', message: 'The remote endpoint has indicated that no data can be found' },
      vat_liabilities: { statusCode: 404, message: 'NOT_FOUND' },
      vat_payments: { payments: [] },
      vat_penalties: {},
    },
    items: [],
    totals: nil,
  }),
  createVatCase('only obligations were read, so amounts are unknown', 'issue 14: unknown is never nil', {
    hmrc: { vat_obligations: { obligations: [createObligation(q3, '2026-11-07')] } },
    items: ['vat return 2026-11-07 ? overdue hmrc'],
    totals: null,
    unknown: ['vat'],
  }),
  createVatCase('a return is due today', 'VAT Regulations 1995 reg 25: overdue only after the day', {
    today: '2026-11-07',
    hmrc: createObligations(createObligation(q3, '2026-11-07')),
    items: ['vat return 2026-11-07 ? due hmrc'],
    totals: nil,
  }),
  createVatCase('a return is overdue from the next day', 'VAT Regulations 1995 reg 25', {
    today: '2026-11-08',
    hmrc: createObligations(createObligation(q3, '2026-11-07')),
    items: ['vat return 2026-11-07 ? overdue hmrc'],
    totals: nil,
  }),
  createVatCase('a return is due within seven days, not eight', 'issue 14: "due" within seven days from today', {
    today: '2026-10-31',
    hmrc: createObligations(createObligation(q3, '2026-11-07'), createObligation(['2026-08-01', '2026-10-31'], '2026-11-08')),
    items: ['vat return 2026-11-07 ? due hmrc', 'vat return 2026-11-08 ? upcoming hmrc'],
    totals: nil,
  }),
  createVatCase('filed returns are done, whenever they came', 'docs/reference/hmrc.md section 3.3', {
    hmrc: createObligations(
      createObligation(q1, '2026-05-07', '2026-05-30'),
      createObligation(q2, '2026-08-07', '2026-08-07'),
      createObligation(q4, '2027-02-07'),
    ),
    items: ['vat return 2026-05-07 ? done hmrc', 'vat return 2026-08-07 ? done hmrc', 'vat return 2027-02-07 ? upcoming hmrc'],
    totals: nil,
  }),
  createVatCase('one period with two keys is one return', 'hmrc/vat-api issue 688', {
    hmrc: createObligations(createObligation(q2, '2026-08-07'), { ...createObligation(q2, '2026-08-07', '2026-08-01'), periodKey: '0626' }),
    items: ['vat return 2026-08-07 ? done hmrc'],
    totals: nil,
  }),
  createVatCase('a part payment leaves the rest overdue', 'docs/reference/hmrc.md section 3.7', {
    hmrc: {
      ...createLiabilities(createLiability(q2, 1000, 400.5, '2026-08-07')),
      vat_payments: { payments: [{ amount: 599.5, received: '2026-08-09' }] },
    },
    items: ['vat payment 2026-08-07 400.50 overdue hmrc'],
    totals: ['400.50', '400.50', '0.00'],
  }),
  createVatCase('a charge not due yet is owed but not overdue', 'issue 14: owed_pence includes amounts not yet due', {
    hmrc: createLiabilities(createLiability(q3, 2500.01, 2500.01, '2026-12-07')),
    items: ['vat payment 2026-12-07 2500.01 upcoming hmrc'],
    totals: ['2500.01', '0.00', '0.00'],
  }),
  createVatCase('no outstanding amount means paid', 'docs/reference/hmrc.md section 3.7', {
    hmrc: createLiabilities(createLiability(q2, 1000, undefined, '2026-08-07')),
    items: ['vat payment 2026-08-07 0.00 done hmrc'],
    totals: nil,
  }),
  createVatCase('a charge without a due date is due a month and seven days after its period', 'VATAC1300: 30 September -> 7 November', {
    hmrc: createLiabilities(createLiability(q3, 75, 75)),
    items: ['vat payment 2026-11-07 75.00 overdue hmrc'],
    totals: ['75.00', '75.00', '0.00'],
  }),
  createVatCase('31 January falls due on 7 March, never on the 10th', 'alphagov/smart-answers vat_payment_deadlines', {
    today: '2027-03-01',
    hmrc: createLiabilities(createLiability(['2026-11-01', '2027-01-31'], 10, 10)),
    items: ['vat payment 2027-03-07 10.00 due hmrc'],
    totals: ['10.00', '0.00', '0.00'],
  }),
  createVatCase('29 February falls due on 7 April', 'VATAC1300', {
    today: '2028-03-01',
    hmrc: createLiabilities(createLiability(['2027-12-01', '2028-02-29'], 10, 10)),
    items: ['vat payment 2028-04-07 10.00 upcoming hmrc'],
    totals: ['10.00', '0.00', '0.00'],
  }),
  createVatCase('a period that ends in the middle of a month takes the date of its return', 'VDSOG400: HMRC sets such dates', {
    hmrc: {
      ...createLiabilities(createLiability(['2026-08-04', '2026-11-03'], 10, 10)),
      vat_obligations: { obligations: [createObligation(['2026-08-04', '2026-11-03'], '2026-12-10', '2026-11-20')] },
    },
    items: ['vat return 2026-12-10 ? done hmrc', 'vat payment 2026-12-10 10.00 upcoming hmrc'],
    totals: ['10.00', '0.00', '0.00'],
  }),
  createVatCase('a refund is expected 30 days after its return', 'docs/reference/hmrc.md section 8', {
    hmrc: {
      ...createLiabilities(createLiability(q3, -1234.56, -1234.56, '2026-11-07')),
      vat_obligations: { obligations: [createObligation(q3, '2026-11-07', '2026-10-28')] },
    },
    items: ['vat return 2026-11-07 ? done hmrc', 'vat refund 2026-11-27 1234.56 due hmrc'],
    totals: ['0.00', '0.00', '1234.56'],
  }),
  createVatCase('a refund that was paid is done', 'docs/reference/hmrc.md section 8', {
    hmrc: createLiabilities(createLiability(q2, -500, undefined, '2026-08-07')),
    items: ['vat refund 2026-09-06 0.00 done hmrc'],
    totals: nil,
  }),
  createVatCase('a credit is set off against overdue tax before the rest is repaid', 'FA 2008 s130', {
    hmrc: createLiabilities(createLiability(q2, 200, 200, '2026-08-07'), createLiability(q3, -500, -500, '2026-11-07')),
    items: ['vat payment 2026-08-07 0.00 done hmrc', 'vat refund 2026-12-07 300.00 upcoming hmrc'],
    totals: ['0.00', '0.00', '300.00'],
  }),
  createVatCase('a credit is not kept for tax that is not due yet', 'docs/reference/hmrc.md section 8', {
    hmrc: createLiabilities(createLiability(q3, 800, 800, '2026-12-07'), createLiability(q2, -500, -500, '2026-11-20')),
    items: ['vat payment 2026-12-07 800.00 upcoming hmrc', 'vat refund 2026-12-20 500.00 upcoming hmrc'],
    totals: ['800.00', '0.00', '500.00'],
  }),
  createVatCase('interest and penalties among the charges are separate from tax', 'docs/reference/hmrc.md section 3.7', {
    hmrc: createLiabilities(
      createLiability(q2, 1000, undefined, '2026-08-07'),
      { ...createLiability(q2, 3.21, 3.21, '2026-11-25'), type: 'VAT Return LPI' },
      { ...createLiability(q2, 30, 30, '2026-12-01'), type: 'VAT Return 1st LPP' },
      { ...createLiability(q1, 200, 200, '2026-10-01'), type: 'VAT Late Submission Pen' },
    ),
    items: [
      'vat payment 2026-08-07 0.00 done hmrc',
      'vat penalty 2026-10-01 200.00 overdue hmrc',
      'vat interest 2026-11-25 3.21 due hmrc',
      'vat penalty 2026-12-01 30.00 upcoming hmrc',
    ],
    totals: ['233.21', '200.00', '0.00'],
  }),
  createVatCase('a charged penalty for a late return is owed', 'FA 2021 Sch 24; docs/reference/hmrc.md section 3.8', {
    hmrc: { ...createObligations(createObligation(q3, '2026-11-07')), vat_penalties: lateSubmission },
    items: ['vat return 2026-11-07 ? overdue hmrc', 'vat penalty 2026-12-10 200.00 upcoming hmrc'],
    totals: ['200.00', '0.00', '0.00'],
  }),
  createVatCase('a posted late payment penalty is owed', 'FA 2021 Sch 26; docs/reference/hmrc.md section 3.8', {
    hmrc: {
      ...createLiabilities(createLiability(q2, 2000, undefined, '2026-08-07')),
      vat_penalties: createLatePayment('posted', { penaltyAmountOutstanding: 60, penaltyChargeDueDate: '2026-11-24' }),
    },
    items: ['vat payment 2026-08-07 0.00 done hmrc', 'vat penalty 2026-11-24 60.00 due hmrc'],
    totals: ['60.00', '0.00', '0.00'],
  }),
  createVatCase('an accruing late payment penalty is not charged yet', 'FA 2021 Sch 26 para 9', {
    hmrc: { ...createLiabilities(createLiability(q2, 2000, 2000, '2026-11-07')), vat_penalties: createLatePayment('accruing', {}) },
    items: ['vat payment 2026-11-07 2000.00 overdue hmrc'],
    totals: ['2000.00', '2000.00', '0.00'],
  }),
  createVatCase('a penalty in both answers counts once', 'docs/reference/hmrc.md sections 3.7 and 3.8', {
    hmrc: {
      ...createLiabilities({ ...createLiability(q3, 200, 200, '2026-12-10'), type: 'VAT Late Submission Pen' }),
      vat_penalties: lateSubmission,
    },
    items: ['vat penalty 2026-12-10 200.00 upcoming hmrc'],
    totals: ['200.00', '0.00', '0.00'],
  }),
];
