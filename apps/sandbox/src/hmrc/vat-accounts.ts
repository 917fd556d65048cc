/** Serves GET /{vrn}/liabilities, /{vrn}/payments and /{vrn}/information (docs/reference/hmrc.md sections 3.7 and 3.8). */
import { addDays, addMonths, parsePlainDate, plainDate, type PlainDate } from '@portal/domain/plain-date.ts';
import type { LiabilityWire, PaymentWire, VatInformationWire } from '@portal/providers/hmrc/hmrc-wire.ts';
import type { HmrcContext } from './hmrc-context.ts';
import { createNoDataError, createStatusError, type VatCall, type VatOperation } from './vat-service.ts';

/** The setting that makes the charge of a new return appear only that number of days later; 0 by default, about 1 at HMRC. */
export const CHARGE_DELAY = 'charge_delay_days';

type DateRange = { readonly from: PlainDate; readonly to: PlainDate };
type CannedResponses<Item> = Readonly<Record<string, readonly { readonly to: PlainDate; readonly item: Item }[]>>;

/** HMRC's server accepts dates earlier than 1 December 2017, the limit in its documentation. */
const EARLIEST_FROM = plainDate('2016-04-06');

export function createLiabilitiesOperation(context: HmrcContext): VatOperation<DateRange> {
  return {
    check: ({ query }) => readRange(context, query),
    scenarios: [...Object.keys(LIABILITY_SCENARIOS), 'INSOLVENT_TRADER'],
    answer: (call, range) => {
      const foundLiabilities =
        call.scenario === undefined ? listOwnLiabilities(context, call, range) : pickCannedItems(LIABILITY_SCENARIOS, call.scenario, range);
      if (foundLiabilities.length === 0) throw createNoDataError();
      return { liabilities: foundLiabilities };
    },
  };
}

export function createPaymentsOperation(context: HmrcContext): VatOperation<DateRange> {
  return {
    check: ({ query }) => readRange(context, query),
    scenarios: [...Object.keys(PAYMENT_SCENARIOS), 'INSOLVENT_TRADER'],
    answer: (call, range) => {
      const foundPayments =
        call.scenario === undefined ? listOwnPayments(context, call, range) : pickCannedItems(PAYMENT_SCENARIOS, call.scenario, range);
      if (foundPayments.length === 0) throw createNoDataError();
      return { payments: foundPayments };
    },
  };
}

export function createInformationOperation(): VatOperation<Record<never, never>> {
  return {
    check: () => ({}),
    scenarios: ['DEFAULT', 'CUSTOMER_INFO_NOT_FOUND', ...Object.keys(INFORMATION_SCENARIOS)],
    answer: ({ trader, scenario }) => {
      if (scenario === 'CUSTOMER_INFO_NOT_FOUND') throw createNoDataError();
      const cannedResponses = scenario === undefined ? undefined : INFORMATION_SCENARIOS[scenario];
      // No simulated trader is on the flat rate scheme, because such a trader would have no refunds to advance.
      return (
        cannedResponses ?? ({ customerDetails: { effectiveRegistrationDate: trader.vatRegistrationDate } } satisfies VatInformationWire)
      );
    },
  };
}

/** Rejects with the first error only; its codes differ from those of the obligations call. */
function readRange(context: HmrcContext, parameters: URLSearchParams): DateRange {
  const from = parsePlainDate(parameters.get('from') ?? '');
  if (from === undefined || from < EARLIEST_FROM) throw createStatusError('DATE_FROM_INVALID');
  const to = parsePlainDate(parameters.get('to') ?? '');
  if (to === undefined || to > context.clock.today()) throw createStatusError('DATE_TO_INVALID');
  if (from >= to || to > addDays(addMonths(from, 12), -1)) throw createStatusError('DATE_RANGE_INVALID');
  return { from, to };
}

function listOwnLiabilities(context: HmrcContext, { trader }: VatCall, range: DateRange): LiabilityWire[] {
  return context.records
    .charges(trader.vrn)
    .list()
    .map(({ document }) => document)
    .filter(({ period }) => period === undefined || isEndWithin(period.to, range))
    .filter(({ periodKey }) => !isTooNew(context, trader.vrn, periodKey))
    .map((charge) => ({
      ...(charge.period ? { taxPeriod: charge.period } : {}),
      type: charge.type,
      originalAmount: charge.originalPence / 100,
      // HMRC omits the amount when nothing is outstanding.
      ...(charge.outstandingPence === 0 ? {} : { outstandingAmount: charge.outstandingPence / 100 }),
      due: charge.due,
    }));
}

function listOwnPayments(context: HmrcContext, { trader }: VatCall, range: DateRange): PaymentWire[] {
  const charges = context.records.charges(trader.vrn);
  return context.records
    .payments(trader.vrn)
    .list()
    .map(({ document }) => ({ payment: document, period: charges.get(document.chargeId)?.period }))
    .filter(({ period }) => period === undefined || isEndWithin(period.to, range))
    .map(({ payment }) => ({ amount: payment.amountPence / 100, received: payment.receivedOn }));
}

function isTooNew({ records, clock }: HmrcContext, vrn: string, periodKey: string | undefined): boolean {
  const receivedOn = periodKey === undefined ? undefined : records.returns(vrn).get(periodKey)?.receivedOn;
  return receivedOn !== undefined && receivedOn > addDays(clock.today(), -Number(records.settings.get(CHARGE_DELAY) ?? 0));
}

/** HMRC's description: "The 'to' date of the liability must fall within the date range provided". */
function isEndWithin(end: PlainDate, { from, to }: DateRange): boolean {
  return end >= from && end <= to;
}

function pickCannedItems<Item>(scenarios: CannedResponses<Item>, scenario: string, range: DateRange): Item[] {
  return (scenarios[scenario] ?? []).filter(({ to }) => isEndWithin(to, range)).map(({ item }) => item);
}

function createLiability(from: string, to: string, originalAmount: number, outstandingAmount: number, due: string) {
  const item: LiabilityWire = { taxPeriod: { from, to }, type: 'VAT Return Debit Charge', originalAmount, outstandingAmount, due };
  return { to: plainDate(to), item };
}

function createPayment(to: string, amount: number, receivedOn: string) {
  return { to: plainDate(to), item: { amount, received: receivedOn } satisfies PaymentWire };
}

const LIABILITY_SCENARIOS: CannedResponses<LiabilityWire> = {
  SINGLE_LIABILITY: [createLiability('2017-01-01', '2017-02-01', 463872, 463872, '2017-03-08')],
  MULTIPLE_LIABILITIES: [
    createLiability('2017-04-05', '2017-05-01', 463872, 463872, '2017-06-09'),
    createLiability('2017-08-01', '2017-10-20', 15, 0.5, '2017-12-07'),
  ],
  SINGLE_LIABILITY_2018_19: [createLiability('2018-01-01', '2018-02-01', 463872, 463872, '2018-03-08')],
  MULTIPLE_LIABILITIES_2018_19: [
    createLiability('2018-04-05', '2018-05-01', 463872, 463872, '2018-06-09'),
    createLiability('2018-08-01', '2018-10-20', 15, 0.5, '2018-12-07'),
  ],
};

const PAYMENT_SCENARIOS: CannedResponses<PaymentWire> = {
  SINGLE_PAYMENT: [createPayment('2017-02-01', 1534.65, '2017-02-12')],
  MULTIPLE_PAYMENTS: [
    createPayment('2017-03-25', 5, '2017-02-11'),
    createPayment('2017-08-25', 50, '2017-03-12'),
    createPayment('2017-10-20', 1000, '2017-03-12'),
  ],
  SINGLE_PAYMENT_2018_19: [createPayment('2018-02-01', 1534.65, '2018-02-12')],
  MULTIPLE_PAYMENTS_2018_19: [
    createPayment('2018-03-25', 5, '2018-02-11'),
    createPayment('2018-08-25', 50, '2018-03-12'),
    createPayment('2018-10-20', 1000, '2018-03-12'),
  ],
};

const FLAT_RATE = { frsCategory: '001', startDate: '2001-01-01' };
const REGISTRATION = { effectiveRegistrationDate: '2001-01-01' };
const INFORMATION_SCENARIOS: Readonly<Record<string, VatInformationWire>> = {
  DEFAULT: { customerDetails: REGISTRATION, flatRateScheme: FLAT_RATE },
  NO_EFFECTREGISTRATIONDATE: { flatRateScheme: FLAT_RATE },
  NO_FLATRATESCHEME: { customerDetails: REGISTRATION },
  NO_EFFECTREGISTRATIONDATE_NO_FRS: {},
};
