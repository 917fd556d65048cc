/**
 * Income tax at HMRC: amounts owed, payments, quarterly updates and final declarations. Only for people signed up to Making Tax Digital for
 * Income Tax.
 */
import type { Pence } from '@portal/domain/money.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { HmrcCall, HmrcDateRange } from '../hmrc/hmrc-types.ts';

/** Amounts are positive if owed to HMRC. `overdue`, `payable` (within 30 days) and `pending` (later) don't overlap. */
export type SelfAssessmentBalance = {
  readonly overdue: Pence;
  readonly overdueSince?: PlainDate;
  readonly payable: Pence;
  readonly payableOn?: PlainDate;
  readonly pending: Pence;
  readonly pendingOn?: PlainDate;
  readonly total: Pence;
  /**
   * Credit that can be repaid or set against later charges. It is also among the charges if HMRC lists it; zero if HMRC doesn't send any.
   */
  readonly availableCredit: Pence;
};

export type SelfAssessmentCharge = {
  readonly documentId: string;
  readonly taxYear?: string;
  /** `credit`: a payment or repayment on the account. `other`: any other description. */
  readonly kind: 'payment_on_account_1' | 'payment_on_account_2' | 'balancing_payment' | 'penalty' | 'interest' | 'credit' | 'other';
  readonly description?: string;
  readonly raisedOn: PlainDate;
  readonly due?: PlainDate;
  readonly original: Pence;
  readonly outstanding: Pence;
  /** HMRC's own figure for interest to date, if it sends one. */
  readonly interest?: Pence;
  /** Interest on this charge that HMRC has charged; if absent, interest is still accruing. */
  readonly interestCharged?: { readonly amount: Pence; readonly outstanding: Pence; readonly due?: PlainDate };
  readonly isEstimate: boolean;
  readonly isCodedOut: boolean;
};

export type SelfAssessmentAccount = { readonly balance: SelfAssessmentBalance; readonly charges: readonly SelfAssessmentCharge[] };

export type SelfAssessmentPayment = {
  readonly amount: Pence;
  readonly receivedOn?: PlainDate;
  readonly reference?: string;
  readonly method?: string;
  readonly allocations: readonly {
    readonly chargeReference: string;
    readonly documentId?: string;
    readonly due?: PlainDate;
    readonly cleared: Pence;
  }[];
};

/**
 * A quarterly update, or a tax year's final declaration, that HMRC expects. Updates are cumulative: from 2025-26 they all start on 6 April.
 */
export type IncomeTaxObligation = {
  readonly start: PlainDate;
  readonly end: PlainDate;
  readonly due: PlainDate;
  readonly status: 'open' | 'fulfilled';
  readonly received?: PlainDate;
};
export type QuarterlyUpdateObligation = IncomeTaxObligation & { readonly typeOfBusiness: string; readonly businessId: string };

export type UpdatesQuery =
  | { readonly status: 'open' }
  /** from < to < from + 366 days; `from` is 6 April 2018 at the earliest. */
  | { readonly from: PlainDate; readonly to: PlainDate; readonly status?: 'open' | 'fulfilled' };

export type SelfAssessmentClient = {
  /** Returns the balance and all open charges, or undefined if HMRC has no data for the taxpayer. */
  findAccount(call: HmrcCall, nino: string): Promise<SelfAssessmentAccount | undefined>;
  /** Lists charges raised within a range of at most 732 days, including cleared ones. */
  listCharges(call: HmrcCall, nino: string, range: HmrcDateRange): Promise<SelfAssessmentCharge[]>;
  listPayments(call: HmrcCall, nino: string, range: HmrcDateRange): Promise<SelfAssessmentPayment[]>;
  /** Sorted by due date. */
  listUpdates(call: HmrcCall, nino: string, query: UpdatesQuery): Promise<QuarterlyUpdateObligation[]>;
  /** Sorted by due date. */
  listDeclarations(
    call: HmrcCall,
    nino: string,
    query?: { taxYear?: string; status?: 'open' | 'fulfilled' },
  ): Promise<IncomeTaxObligation[]>;
};
