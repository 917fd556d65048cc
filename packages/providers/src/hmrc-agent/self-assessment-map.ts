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
  const { balanceDetails: told } = wire;
  return {
    balance: {
      overdue: readPence(told.overdueAmount),
      ...(told.earliestPaymentDateOverdue === undefined ? {} : { overdueSince: plainDate(told.earliestPaymentDateOverdue) }),
      payable: readPence(told.payableAmount),
      ...(told.payableDueDate === undefined ? {} : { payableOn: plainDate(told.payableDueDate) }),
      pending: readPence(told.pendingChargeDueAmount),
      ...(told.pendingChargeDueDate === undefined ? {} : { pendingOn: plainDate(told.pendingChargeDueDate) }),
      total: readPence(told.totalBalance),
      availableCredit: told.availableCredit === undefined ? ZERO : readPence(told.availableCredit),
    },
    charges: mapCharges(wire),
  };
}

export function mapCharges({ documentDetails = [] }: BalanceWire): SelfAssessmentCharge[] {
  return documentDetails.map(mapCharge);
}

/** HMRC writes the payments on account with different spaces: "ITSA- POA 1", "ITSA - POA 2". */
function mapCharge(wire: DocumentWire): SelfAssessmentCharge {
  const words = (wire.documentDescription ?? '').replaceAll(/\s/g, '');
  const kind =
    words === 'ITSA-POA1'
      ? 'payment_on_account_1'
      : words === 'ITSA-POA2'
        ? 'payment_on_account_2'
        : words === 'ITSA-BalCharge'
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
    allocations: payment.allocations.map((one) => ({
      chargeReference: one.chargeReference,
      ...(one.chargeDetail?.documentId === undefined ? {} : { documentId: one.chargeDetail.documentId }),
      ...(one.dueDate === undefined ? {} : { due: plainDate(one.dueDate) }),
      cleared: one.clearedAmount === undefined ? ZERO : readPence(one.clearedAmount),
    })),
  }));
}

export function mapUpdates(wire: UpdatesWire): QuarterlyUpdateObligation[] {
  return wire.obligations
    .flatMap(({ typeOfBusiness, businessId, obligationDetails }) =>
      obligationDetails.map((detail) => ({ typeOfBusiness, businessId, ...mapObligation(detail) })),
    )
    .sort(byDue);
}

export function mapDeclarations(wire: DeclarationsWire): IncomeTaxObligation[] {
  return wire.obligations.map(mapObligation).sort(byDue);
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

function byDue(a: IncomeTaxObligation, b: IncomeTaxObligation): number {
  return a.due < b.due ? -1 : a.due > b.due ? 1 : 0;
}

/** Uses the number's shortest decimal text, which is the text that HMRC sent. */
function readPence(amount: number): Pence {
  const read = parsePounds(String(amount));
  if (read === undefined) throw new RangeError(`not an amount: ${amount}`);
  return read;
}
