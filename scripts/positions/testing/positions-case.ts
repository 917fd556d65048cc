/** A test case for `npm run positions`: an input file and its expected output, calculated by hand from the named source. */
export type PositionsCase = {
  readonly name: string;
  /** The source of the rule. */
  readonly source: string;
  readonly today: string;
  readonly client: Readonly<Record<string, unknown>>;
  readonly hmrc?: Readonly<Record<string, unknown>>;
  readonly statements?: Readonly<Record<string, unknown>>;
  readonly companies_house?: Readonly<Record<string, unknown>>;
  /** All items in order: "tax kind due amount status source". The amount is in pounds, or "?" if unknown. */
  readonly items: readonly string[];
  /** Omits items by rule from `items`, because PAYE has twelve of them. */
  readonly isWithoutRules?: true;
  /** Owed, overdue and refund in pounds; null if unknown. */
  readonly totals: readonly [string, string, string] | null;
  readonly unknown?: readonly string[];
};

export const VAT_CLIENT = { name: 'Example Trading Ltd', kind: 'company', taxes: 'VAT' };
export const SA_CLIENT = { name: 'Jo Example', kind: 'sole_trader', taxes: 'SA' };

/** Creates a charge as in HMRC's VAT API; a settled charge has no `outstandingAmount`. */
export function createLiability(
  period: readonly [string, string] | undefined,
  amount: number,
  outstanding: number | undefined,
  due?: string,
) {
  return {
    ...(period ? { taxPeriod: { from: period[0], to: period[1] } } : {}),
    type: amount < 0 ? 'VAT Return Credit Charge' : 'VAT Return Debit Charge',
    originalAmount: amount,
    ...(outstanding === undefined ? {} : { outstandingAmount: outstanding }),
    ...(due === undefined ? {} : { due }),
  };
}

/** Creates a return that HMRC expects or has received. */
export function createObligation(period: readonly [string, string], due: string, receivedOn?: string) {
  const status = receivedOn === undefined ? { status: 'O' } : { status: 'F', received: receivedOn };
  return { periodKey: '26A1', start: period[0], end: period[1], due, ...status };
}

export const QUARTERS = {
  q1: ['2026-01-01', '2026-03-31'],
  q2: ['2026-04-01', '2026-06-30'],
  q3: ['2026-07-01', '2026-09-30'],
  q4: ['2026-10-01', '2026-12-31'],
} as const;

/** Creates a Self Assessment Accounts 4.0 response with these documents. */
export function createBalance(documents: readonly Readonly<Record<string, unknown>>[], details: Readonly<Record<string, unknown>> = {}) {
  return {
    balanceDetails: {
      payableAmount: 0,
      pendingChargeDueAmount: 0,
      overdueAmount: 0,
      bcdBalancePerYear: [],
      totalBalance: 0,
      ...details,
    },
    ...(documents.length > 0 ? { documentDetails: documents } : {}),
  };
}

/** Creates a document in the account; `overrides` replaces fields. */
export function createDocument(description: string, taxYear: string, outstanding: number, due: string | undefined, overrides: object = {}) {
  return {
    taxYear,
    documentId: `${description}${taxYear}`.replaceAll(/[^0-9A-Za-z]/g, '').slice(0, 12),
    documentDate: '2026-10-01',
    ...(due === undefined ? {} : { documentDueDate: due }),
    documentDescription: description,
    originalAmount: outstanding,
    outstandingAmount: outstanding,
    isChargeEstimate: false,
    isCodedOut: false,
    ...overrides,
  };
}

/** Creates one business with these quarterly updates, each given by its last day and due date. */
export function createUpdates(...list: readonly (readonly [end: string, due: string, received?: string])[]) {
  const obligationDetails = list.map(([periodEndDate, dueDate, receivedDate]) => ({
    periodStartDate: '2026-04-06',
    periodEndDate,
    dueDate,
    status: receivedDate === undefined ? 'open' : 'fulfilled',
    ...(receivedDate === undefined ? {} : { receivedDate }),
  }));
  return { obligations: [{ typeOfBusiness: 'self-employment', businessId: 'XAIS12345678910', obligationDetails }] };
}

export function createDeclaration(end: string, due: string, receivedOn?: string) {
  const start = `${Number(end.slice(0, 4)) - 1}-04-06`;
  const state = receivedOn === undefined ? { status: 'open' } : { status: 'fulfilled', receivedDate: receivedOn };
  return { obligations: [{ periodStartDate: start, periodEndDate: end, dueDate: due, ...state }] };
}
