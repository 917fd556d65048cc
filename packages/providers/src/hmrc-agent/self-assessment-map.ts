/** Maps Self Assessment wire shapes to the port's types. Pure. Impossible values throw a RangeError. */
import { parsePounds, ZERO, type Pence } from '@portal/domain/money.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import type {
  IncomeTaxObligation,
  QuarterlyUpdateObligation,
  SelfAssessmentAccount,
  SelfAssessmentCharge,
  SelfAssessmentPayment,
} from './self-assessment-port.ts';
import type { BalanceWire, DeclarationsWire, DocumentWire, SaPaymentsWire, UpdatesWire } from './self-assessment-wire.ts';

export function mapAccount(wire: BalanceWire): SelfAssessmentAccount {
  const { balanceDetails: details } = wire;
  return {
    balance: {
      overdue: readPence(details.overdueAmount),
      ...(details.earliestPaymentDateOverdue === undefined ? {} : { overdueSince: plainDate(details.earliestPaymentDateOverdue) }),
      payable: readPence(details.payableAmount),
      ...(details.payableDueDate === undefined ? {} : { payableOn: plainDate(details.payableDueDate) }),
      pending: readPence(details.pendingChargeDueAmount),
      ...(details.pendingChargeDueDate === undefined ? {} : { pendingOn: plainDate(details.pendingChargeDueDate) }),
      total: readPence(details.totalBalance),
      availableCredit: readPence(details.availableCredit ?? details.unallocatedCredit ?? 0),
    },
    charges: mapCharges(wire),
  };
}

export function mapCharges({ documentDetails = [] }: BalanceWire): SelfAssessmentCharge[] {
  return documentDetails.map(mapCharge);
}

function mapCharge(wire: DocumentWire): SelfAssessmentCharge {
  const { latePaymentInterest: lateInterest } = wire;
  const interest = lateInterest?.accruingInterestAmount ?? lateInterest?.interestOutstandingAmount;
  const interestCharged = mapChargedInterest(lateInterest);
  return {
    documentId: wire.documentId,
    kind: getChargeKind(wire),
    raisedOn: plainDate(wire.documentDate),
    original: readPence(wire.originalAmount),
    outstanding: readPence(wire.outstandingAmount),
    isEstimate: wire.isChargeEstimate,
    isCodedOut: wire.isCodedOut,
    ...(wire.taxYear === undefined ? {} : { taxYear: wire.taxYear }),
    ...(wire.documentDescription === undefined ? {} : { description: wire.documentDescription }),
    ...(wire.documentDueDate === undefined ? {} : { due: plainDate(wire.documentDueDate) }),
    ...(interest === undefined ? {} : { interest: readPence(interest) }),
    ...(interestCharged === undefined ? {} : { interestCharged }),
  };
}

/**
 * HMRC's descriptions in lower-case letters and digits only, because its spacing varies: "ITSA- POA 1", "ITSA - POA 2". A "TRM" charge is a
 * balancing payment (hmrc/income-tax-view-change-frontend, DocumentDetail).
 */
const CHARGE_KINDS: Readonly<Record<string, SelfAssessmentCharge['kind']>> = {
  itsapoa1: 'payment_on_account_1',
  itsapoa2: 'payment_on_account_2',
  itsabalcharge: 'balancing_payment',
  itsabcd: 'balancing_payment',
  trmnewcharge: 'balancing_payment',
  trmamendcharge: 'balancing_payment',
  payment: 'credit',
  repayment: 'credit',
  clearingdocument: 'credit',
};

/** HMRC identifies a document primarily by its description; the text helps only if the description doesn't. */
function getChargeKind({ documentDescription, documentText }: DocumentWire): SelfAssessmentCharge['kind'] {
  const texts = [documentDescription, documentText].filter((text) => text !== undefined);
  if (texts.some((text) => /penalt/i.test(text))) return 'penalty';
  if (texts.some((text) => /interest/i.test(text))) return 'interest';
  const kinds = texts.map((text) => CHARGE_KINDS[text.toLowerCase().replaceAll(/[^a-z0-9]/g, '')]);
  return kinds.find((kind) => kind !== undefined) ?? 'other';
}

/** `interestAmount` is the interest that HMRC has charged. While interest is accruing, HMRC sends only the other amounts. */
function mapChargedInterest(lateInterest: DocumentWire['latePaymentInterest']): SelfAssessmentCharge['interestCharged'] {
  const amount = lateInterest?.interestAmount;
  if (lateInterest === undefined || amount === undefined || amount <= 0) return undefined;
  return {
    amount: readPence(amount),
    outstanding: readPence(lateInterest.interestOutstandingAmount ?? amount),
    ...(lateInterest.interestEndDate === undefined ? {} : { due: plainDate(lateInterest.interestEndDate) }),
  };
}

export function mapPayments(wire: SaPaymentsWire): SelfAssessmentPayment[] {
  return wire.payments.map((payment) => ({
    amount: payment.paymentAmount === undefined ? ZERO : readPence(payment.paymentAmount),
    ...(payment.transactionDate === undefined ? {} : { receivedOn: plainDate(payment.transactionDate) }),
    ...(payment.paymentReference === undefined ? {} : { reference: payment.paymentReference }),
    ...(payment.paymentMethod === undefined ? {} : { method: payment.paymentMethod }),
    allocations: payment.allocations.map((allocation) => ({
      chargeReference: allocation.chargeReference,
      ...(allocation.chargeDetail?.documentId === undefined ? {} : { documentId: allocation.chargeDetail.documentId }),
      ...(allocation.dueDate === undefined ? {} : { due: plainDate(allocation.dueDate) }),
      cleared: allocation.clearedAmount === undefined ? ZERO : readPence(allocation.clearedAmount),
    })),
  }));
}

export function mapUpdates(wire: UpdatesWire): QuarterlyUpdateObligation[] {
  return wire.obligations
    .flatMap(({ typeOfBusiness, businessId, obligationDetails }) =>
      obligationDetails.map((detail) => ({ typeOfBusiness, businessId, ...mapObligation(detail) })),
    )
    .sort(compareByDueDate);
}

export function mapDeclarations(wire: DeclarationsWire): IncomeTaxObligation[] {
  return wire.obligations.map(mapObligation).sort(compareByDueDate);
}

function mapObligation(wire: DeclarationsWire['obligations'][number]): IncomeTaxObligation {
  return {
    start: plainDate(wire.periodStartDate),
    end: plainDate(wire.periodEndDate),
    due: plainDate(wire.dueDate),
    status: wire.status,
    ...(wire.receivedDate === undefined ? {} : { received: plainDate(wire.receivedDate) }),
  };
}

function compareByDueDate(a: IncomeTaxObligation, b: IncomeTaxObligation): number {
  return a.due < b.due ? -1 : a.due > b.due ? 1 : 0;
}

/** Uses the number's shortest decimal string, which is exactly what HMRC sent. */
function readPence(amount: number): Pence {
  const parsed = parsePounds(String(amount));
  if (parsed === undefined) throw new RangeError(`not an amount: ${amount}`);
  return parsed;
}
