/** Self Assessment Accounts 4.0 (docs/reference/hmrc.md section 6.1): balance with transactions, payments with allocations. */
import { pence } from '@portal/domain/money.ts';
import { addDays, countDaysBetween, parsePlainDate, type PlainDate } from '@portal/domain/plain-date.ts';
import { calculateInterestWithPartPayments } from '@portal/domain/uk-tax/interest/late-payment-interest.ts';
import { getValueOrForecast } from '@portal/domain/uk-tax/known.ts';
import { getInterestRates } from '@portal/domain/uk-tax/interest/interest-rates.ts';
import type { HmrcContext } from '../hmrc/hmrc-context.ts';
import type { BalanceWire, DocumentWire, SaPaymentsWire } from '@portal/providers/hmrc-agent/self-assessment-wire.ts';
import type { IncomeTaxCharge, IncomeTaxRecord } from './agent-records.ts';
import { createIncomeTaxError, type IncomeTaxErrorCode, type IncomeTaxOperation } from './income-tax-service.ts';

type DateRange = { readonly from: PlainDate; readonly to: PlainDate };
type BalanceQuery = {
  readonly onlyOpenItems: boolean;
  readonly docNumber?: string;
  readonly range?: DateRange;
  readonly isPoaHidden: boolean;
  readonly withInterest: boolean;
};

const QUERY_FLAGS: readonly (readonly [name: string, code: IncomeTaxErrorCode])[] = [
  ['onlyOpenItems', 'FORMAT_ONLY_OPEN_ITEMS'],
  ['includeLocks', 'FORMAT_INCLUDE_LOCKS'],
  ['calculateAccruedInterest', 'FORMAT_CALCULATE_ACCRUED_INTEREST'],
  ['removePOA', 'FORMAT_REMOVE_PAYMENT_ON_ACCOUNT'],
  ['customerPaymentInformation', 'FORMAT_CUSTOMER_PAYMENT_INFORMATION'],
  ['includeEstimatedCharges', 'FORMAT_INCLUDE_ESTIMATED_CHARGES'],
];

/** The maximum number of days between the two dates. */
const MAX_RANGE_DAYS = 732;

export function createBalanceOperation(context: HmrcContext): IncomeTaxOperation<BalanceQuery> {
  return {
    version: '4.0',
    check: readBalanceQuery,
    scenarios: { NOT_FOUND: () => createIncomeTaxError('MATCHING_RESOURCE_NOT_FOUND') },
    answer: (person, query) => {
      const today = context.clock.today();
      // A charge is visible from the day it was raised.
      const charges = person.charges.filter(({ raisedOn }) => raisedOn <= today).map((charge) => toChargeState(person, charge, today));
      const matchingCharges = charges.filter((charge) => matchesQuery(charge, query));
      if (!person.hasData || (matchingCharges.length === 0 && query.docNumber !== undefined))
        throw createIncomeTaxError('MATCHING_RESOURCE_NOT_FOUND');
      const balance: BalanceWire = {
        balanceDetails: toBalance(charges, today),
        ...(matchingCharges.length === 0 ? {} : { documentDetails: matchingCharges.map((charge) => toDocument(charge, query, today)) }),
      };
      return balance;
    },
  };
}

export function createPaymentsOperation(): IncomeTaxOperation<{
  readonly range?: DateRange;
  readonly lot?: string;
  readonly item?: string;
}> {
  return {
    version: '4.0',
    check: (parameters) => {
      const lot = parameters.get('paymentLot');
      const item = parameters.get('paymentLotItem');
      if (lot !== null && item === null) return ['MISSING_PAYMENT_LOT_ITEM'];
      if (lot === null && item !== null) return ['MISSING_PAYMENT_LOT'];
      const range = readRange(parameters);
      if (Array.isArray(range)) return range;
      if (lot === null || item === null) return range ? { range } : ['RULE_INCONSISTENT_QUERY_PARAMS'];
      const faults: IncomeTaxErrorCode[] = [
        ...(/^[0-9A-Za-z]{1,12}$/.test(lot) ? [] : ['FORMAT_PAYMENT_LOT' as const]),
        ...(/^[0-9A-Za-z]{1,6}$/.test(item) ? [] : ['FORMAT_PAYMENT_LOT_ITEM' as const]),
      ];
      return faults.length > 0 ? faults : { lot, item, ...(range ? { range } : {}) };
    },
    scenarios: {
      NOT_FOUND: () => createIncomeTaxError('MATCHING_RESOURCE_NOT_FOUND'),
      INVALID_DATE_RANGE: () => createIncomeTaxError('INVALID_DATE_RANGE'),
    },
    answer: (person, { range, lot, item }) => {
      const foundPayments = person.payments
        .filter(({ receivedOn }) => range === undefined || (receivedOn >= range.from && receivedOn <= range.to))
        .filter((payment) => lot === undefined || (payment.paymentLot === lot && payment.paymentLotItem === item));
      if (foundPayments.length === 0) throw createIncomeTaxError('MATCHING_RESOURCE_NOT_FOUND');
      return { payments: foundPayments.map((payment) => toPaymentWire(person, payment)) } satisfies SaPaymentsWire;
    },
  };
}

function readBalanceQuery(parameters: URLSearchParams): BalanceQuery | IncomeTaxErrorCode[] {
  const faults: IncomeTaxErrorCode[] = QUERY_FLAGS.flatMap(([name, code]) =>
    /^(?:true|false)$/.test(parameters.get(name) ?? 'false') ? [] : [code],
  );
  const docNumber = parameters.get('docNumber');
  if (docNumber !== null && !/^[a-zA-Z0-9]{12}$/.test(docNumber)) faults.push('FORMAT_DOC_NUMBER');
  const range = readRange(parameters);
  if (Array.isArray(range)) faults.push(...range);
  if (faults.length > 0 || Array.isArray(range)) return faults;
  const onlyOpenItems = parameters.get('onlyOpenItems') === 'true';
  const hasFilter = range !== undefined || docNumber !== null;
  if (onlyOpenItems === hasFilter) return ['RULE_INCONSISTENT_QUERY_PARAMS'];
  return {
    onlyOpenItems,
    isPoaHidden: parameters.get('removePOA') === 'true',
    withInterest: parameters.get('calculateAccruedInterest') === 'true',
    ...(docNumber === null ? {} : { docNumber }),
    ...(range ? { range } : {}),
  };
}

/** Returns undefined when neither date is given. */
function readRange(parameters: URLSearchParams): DateRange | undefined | IncomeTaxErrorCode[] {
  const [fromText, toText] = [parameters.get('fromDate'), parameters.get('toDate')];
  if (fromText === null && toText === null) return undefined;
  if (fromText === null) return ['MISSING_FROM_DATE'];
  if (toText === null) return ['MISSING_TO_DATE'];
  const [from, to] = [readDate(fromText), readDate(toText)];
  if (from === undefined || to === undefined) {
    return [...(from === undefined ? ['FORMAT_FROM_DATE' as const] : []), ...(to === undefined ? ['FORMAT_TO_DATE' as const] : [])];
  }
  if (to < from) return ['RANGE_TO_DATE_BEFORE_FROM_DATE'];
  return countDaysBetween(from, to) > MAX_RANGE_DAYS ? ['RULE_INVALID_DATE_RANGE'] : { from, to };
}

function readDate(text: string): PlainDate | undefined {
  const date = parsePlainDate(text);
  return date !== undefined && date < '2100' ? date : undefined;
}

type ChargeState = IncomeTaxCharge & {
  readonly outstandingPence: number;
  readonly clearingPayments: readonly { readonly on: PlainDate; readonly amountPence: number }[];
};

function toChargeState(person: IncomeTaxRecord, charge: IncomeTaxCharge, today: PlainDate): ChargeState {
  const clearingPayments = person.payments
    .filter(({ receivedOn }) => receivedOn <= today)
    .flatMap(({ receivedOn, allocations }) =>
      allocations.filter(({ documentId }) => documentId === charge.documentId).map(({ amountPence }) => ({ on: receivedOn, amountPence })),
    );
  const clearedPence = clearingPayments.reduce((sum, { amountPence }) => sum + amountPence, 0);
  return { ...charge, clearingPayments, outstandingPence: charge.originalPence - clearedPence };
}

function matchesQuery(charge: ChargeState, { onlyOpenItems, docNumber, range, isPoaHidden }: BalanceQuery): boolean {
  if (isPoaHidden && charge.kind !== 'balancing') return false;
  if (docNumber !== undefined) return charge.documentId === docNumber;
  if (range !== undefined) return charge.raisedOn >= range.from && charge.raisedOn <= range.to;
  return !onlyOpenItems || charge.outstandingPence > 0;
}

function toBalance(charges: readonly ChargeState[], today: PlainDate): BalanceWire['balanceDetails'] {
  const openCharges = charges.filter(({ outstandingPence }) => outstandingPence > 0);
  const payableUntil = addDays(today, 30);
  const overdueCharges = openCharges.filter(({ due }) => due < today);
  const payableCharges = openCharges.filter(({ due }) => due >= today && due <= payableUntil);
  const pendingCharges = openCharges.filter(({ due }) => due > payableUntil);
  const sum = (selection: readonly ChargeState[]) => selection.reduce((total, { outstandingPence }) => total + outstandingPence, 0) / 100;
  const findEarliestDue = (selection: readonly ChargeState[]) => selection.map(({ due }) => due).sort()[0];
  const [payableOn, pendingOn, overdueOn] = [
    findEarliestDue(payableCharges),
    findEarliestDue(pendingCharges),
    findEarliestDue(overdueCharges),
  ];
  const balancing = openCharges.filter(({ kind }) => kind === 'balancing');
  return {
    payableAmount: sum(payableCharges),
    ...(payableOn === undefined ? {} : { payableDueDate: payableOn }),
    pendingChargeDueAmount: sum(pendingCharges),
    ...(pendingOn === undefined ? {} : { pendingChargeDueDate: pendingOn }),
    overdueAmount: sum(overdueCharges),
    ...(overdueOn === undefined ? {} : { earliestPaymentDateOverdue: overdueOn }),
    bcdBalancePerYear: balancing.map(({ taxYear, outstandingPence }) => ({ taxYear, bcdAmount: outstandingPence / 100 })),
    totalBcdBalance: sum(balancing),
    totalBalance: sum(openCharges),
  };
}

const DOCUMENT_DESCRIPTIONS = { poa1: 'ITSA- POA 1', poa2: 'ITSA - POA 2', balancing: 'ITSA- Bal Charge' } as const;

function toDocument(charge: ChargeState, { withInterest }: BalanceQuery, today: PlainDate): DocumentWire {
  const last = charge.clearingPayments.at(-1);
  const interest = withInterest && charge.outstandingPence > 0 && charge.due < today ? calculateInterest(charge, today) : undefined;
  return {
    taxYear: charge.taxYear,
    documentId: charge.documentId,
    documentDate: charge.raisedOn,
    documentDueDate: charge.due,
    documentDescription: DOCUMENT_DESCRIPTIONS[charge.kind],
    originalAmount: charge.originalPence / 100,
    outstandingAmount: charge.outstandingPence / 100,
    ...(last
      ? { lastClearing: { lastClearingDate: last.on, lastClearingReason: 'Incoming Payment', lastClearedAmount: last.amountPence / 100 } }
      : {}),
    ...(interest ? { latePaymentInterest: interest } : {}),
    isChargeEstimate: false,
    isCodedOut: false,
  };
}

function calculateInterest(charge: ChargeState, today: PlainDate): DocumentWire['latePaymentInterest'] {
  const payments = charge.clearingPayments.map(({ on, amountPence }) => ({ date: on, amount: pence(amountPence) }));
  const calculatedInterest = getValueOrForecast(
    calculateInterestWithPartPayments(pence(charge.originalPence), charge.due, payments, today),
  );
  const rate = getValueOrForecast(getInterestRates(today));
  if (!calculatedInterest) return undefined;
  return {
    latePaymentInterestId: `L${charge.documentId}`,
    accruingInterestAmount: calculatedInterest.interest / 100,
    ...(rate ? { interestRate: rate.late_payment_bps / 100 } : {}),
    interestStartDate: addDays(charge.due, 1),
    interestEndDate: today,
  };
}

function toPaymentWire(person: IncomeTaxRecord, payment: IncomeTaxRecord['payments'][number]): SaPaymentsWire['payments'][number] {
  return {
    paymentLot: payment.paymentLot,
    paymentLotItem: payment.paymentLotItem,
    paymentReference: payment.reference,
    paymentAmount: payment.amountPence / 100,
    paymentMethod: 'BACSRECEIPTS',
    transactionDate: payment.receivedOn,
    allocations: payment.allocations.flatMap(({ documentId, amountPence }) => {
      const charge = person.charges.find((candidate) => candidate.documentId === documentId);
      if (!charge) return [];
      return [
        {
          chargeReference: `XA${documentId}`,
          dueDate: charge.due,
          chargeDetail: { documentId },
          amount: charge.originalPence / 100,
          clearedAmount: amountPence / 100,
        },
      ];
    }),
  };
}
