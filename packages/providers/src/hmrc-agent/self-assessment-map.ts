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
      availableCredit: details.availableCredit === undefined ? ZERO : readPence(details.availableCredit),
    },
    charges: mapCharges(wire),
  };
}

export function mapCharges({ documentDetails = [] }: BalanceWire): SelfAssessmentCharge[] {
  return documentDetails.map(mapCharge);
}

/** HMRC writes the payments on account with different spaces: "ITSA- POA 1", "ITSA - POA 2". */
function mapCharge(wire: DocumentWire): SelfAssessmentCharge {
  const description = (wire.documentDescription ?? '').replaceAll(/\s/g, '');
  const kind =
    description === 'ITSA-POA1'
      ? 'payment_on_account_1'
      : description === 'ITSA-POA2'
        ? 'payment_on_account_2'
        : description === 'ITSA-BalCharge'
          ? 'balancing_payment'
          : 'other';
  const interest = wire.latePaymentInterest?.accruingInterestAmount ?? wire.latePaymentInterest?.interestOutstandingAmount;
  return {
    documentId: wire.documentId,
    kind,
    raisedOn: plainDate(wire.documentDate),
    original: readPence(wire.originalAmount),
    outstanding: readPence(wire.outstandingAmount),
    isEstimate: wire.isChargeEstimate,
    isCodedOut: wire.isCodedOut,
    ...(wire.taxYear === undefined ? {} : { taxYear: wire.taxYear }),
    ...(wire.documentDescription === undefined ? {} : { description: wire.documentDescription }),
    ...(wire.documentDueDate === undefined ? {} : { due: plainDate(wire.documentDueDate) }),
    ...(interest === undefined ? {} : { interest: readPence(interest) }),
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

/** Uses the number's shortest decimal text, which is the text that HMRC sent. */
function readPence(amount: number): Pence {
  const read = parsePounds(String(amount));
  if (read === undefined) throw new RangeError(`not an amount: ${amount}`);
  return read;
}
