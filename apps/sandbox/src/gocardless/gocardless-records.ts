/**
 * The simulator's billing requests, mandates, payments and events. Statuses advance with the sandbox clock, as Bacs advances with working
 * days.
 */
import { randomBytes } from 'node:crypto';
import type { Clock } from '@portal/domain/clock.ts';
import { addDays, plainDate, type PlainDate } from '@portal/domain/plain-date.ts';
import type { MANDATE_STATUSES, PAYMENT_STATUSES } from '@portal/domain/shortfalls/direct-debit.ts';
import { addWorkingDays } from '@portal/domain/uk-tax/calendar/working-days.ts';
import { getValueOrForecast } from '@portal/domain/uk-tax/known.ts';
import type { EventWire } from '@portal/providers/gocardless/gocardless-wire.ts';
import type { SimulatorStore } from '../simulator/simulator-store.ts';
import { openPayouts, type Payouts } from './gocardless-payouts.ts';

type MandateStatus = (typeof MANDATE_STATUSES)[number];
type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

export type BillingRequestRecord = {
  readonly id: string;
  readonly status: 'pending' | 'fulfilled' | 'cancelled';
  readonly metadata: Readonly<Record<string, string>>;
  readonly mandate_id?: string;
};
export type FlowRecord = {
  readonly id: string;
  readonly billing_request_id: string;
  readonly redirect_uri: string;
  readonly exit_uri: string;
  readonly company_name: string;
};
export type MandateRecord = {
  readonly id: string;
  readonly reference: string;
  readonly status: MandateStatus;
  readonly payer: string;
  readonly account_number: string;
  readonly created_at: string;
  readonly created_on: PlainDate;
};
export type PaymentRecord = {
  readonly id: string;
  readonly mandate_id: string;
  readonly status: PaymentStatus;
  readonly amount: number;
  readonly charge_date: PlainDate;
  readonly description?: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly created_at: string;
  /** When GoCardless emailed the amount and date to the payer. */
  readonly notified_at: string;
};

/** A new mandate can be charged this many working days later, because Bacs notifies the payer's bank first. */
const MANDATE_LEAD_DAYS = 3;
/** A payment reaches the bank this many working days before it is charged. */
const SUBMIT_AHEAD_DAYS = 2;

/** What the payer enters on GoCardless's page. */
export type Payer = { readonly name: string; readonly accountNumber: string };
/** GoCardless's test account, which the sandbox's seeded companies have too. */
export const TEST_ACCOUNT_NUMBER = '55779911';

type EventLinks = Readonly<Record<string, string>>;
type PaymentOrder = Pick<PaymentRecord, 'amount' | 'metadata' | 'mandate_id' | 'description'> & { readonly charge_date: string };

export type GoCardlessRecords = ReturnType<typeof openGoCardlessRecords>;

/** Opens the records. Every status change becomes an event. */
export function openGoCardlessRecords(store: SimulatorStore, clock: Clock, queue: (event: EventWire) => void) {
  const collections = openCollections(store);
  const { requests, flows, mandates, payments, settings } = collections;
  const emit = createEmitter(collections, clock, queue);
  const payouts = openPayouts(store, { clock, emit, nextWorkingDay: (from) => addWorkingDaysTo(from, 1) });
  const changes = createChanges(collections, emit, payouts);
  return {
    ...collections,
    ...changes,
    payouts: payouts.payouts,
    setPayout: payouts.setPayout,
    advance: () =>
      store.atomically(() => {
        advanceAll(collections, changes, clock.today());
        payouts.advance(clock.today());
      }),
    newRequest: (metadata: EventLinks): BillingRequestRecord => {
      const request: BillingRequestRecord = { id: createId('BRQ'), status: 'pending', metadata };
      requests.put(request.id, request);
      emit('billing_requests', 'created', { billing_request: request.id });
      return request;
    },
    newFlow: (flow: Omit<FlowRecord, 'id'>): FlowRecord => {
      const createdFlow = { ...flow, id: createId('BRF') };
      flows.put(createdFlow.id, createdFlow);
      return createdFlow;
    },
    /** Creates the mandate that the payer authorised on GoCardless's page. */
    fulfil: (request: BillingRequestRecord, payer: Payer): MandateRecord =>
      store.atomically(() => {
        const mandate = createMandate(clock, payer);
        mandates.put(mandate.id, mandate);
        requests.put(request.id, { ...request, status: 'fulfilled', mandate_id: mandate.id });
        emit('billing_requests', 'fulfilled', { billing_request: request.id, mandate_request_mandate: mandate.id });
        emit('mandates', 'created', { mandate: mandate.id });
        return mandate;
      }),
    cancelRequest: (request: BillingRequestRecord): BillingRequestRecord => {
      const cancelledRequest = { ...request, status: 'cancelled' as const };
      requests.put(request.id, cancelledRequest);
      emit('billing_requests', 'cancelled', { billing_request: request.id });
      return cancelledRequest;
    },
    newPayment: (order: PaymentOrder): PaymentRecord => {
      const now = clock.now();
      const times = { charge_date: plainDate(order.charge_date), created_at: now, notified_at: now };
      const payment: PaymentRecord = { ...order, ...times, id: createId('PM'), status: 'pending_submission' };
      payments.put(payment.id, payment);
      emit('payments', 'created', { payment: payment.id, mandate: payment.mandate_id });
      return payment;
    },
    nextChargeDate: (): PlainDate => addWorkingDaysTo(clock.today(), MANDATE_LEAD_DAYS),
    failNextPayment: (reason: string) => settings.put('fail_next', reason),
  };
}

type Collections = ReturnType<typeof openCollections>;

function openCollections(store: SimulatorStore) {
  return {
    requests: store.collection<BillingRequestRecord>('gocardless.billing_requests'),
    flows: store.collection<FlowRecord>('gocardless.flows'),
    mandates: store.collection<MandateRecord>('gocardless.mandates'),
    payments: store.collection<PaymentRecord>('gocardless.payments'),
    events: store.collection<EventWire>('gocardless.events'),
    settings: store.collection<string>('gocardless.settings'),
  };
}

type EmitEvent = (resourceType: string, action: string, links: EventLinks, description?: string) => void;

function createEmitter({ events }: Collections, clock: Clock, queue: (event: EventWire) => void): EmitEvent {
  return (resource_type, action, links, description) => {
    const origin = description === undefined ? 'gocardless' : 'bank';
    const details = { origin, cause: action, description: description ?? action, scheme: 'bacs' };
    const event: EventWire = { id: createId('EV'), created_at: clock.now(), resource_type, action, links: { ...links }, details };
    events.put(event.id, event);
    queue(event);
  };
}

type Changes = ReturnType<typeof createChanges>;

function createChanges({ mandates, payments }: Collections, emit: EmitEvent, payouts: Payouts) {
  return {
    setMandate: (mandate: MandateRecord, status: MandateStatus, description?: string): MandateRecord => {
      const changedMandate = { ...mandate, status };
      mandates.put(mandate.id, changedMandate);
      emit('mandates', status, { mandate: mandate.id }, description);
      return changedMandate;
    },
    setPayment: (payment: PaymentRecord, status: PaymentStatus, description?: string): PaymentRecord => {
      const changedPayment = { ...payment, status };
      payments.put(payment.id, changedPayment);
      payouts.follow(payment, changedPayment);
      emit('payments', status, { payment: payment.id, mandate: payment.mandate_id }, description);
      return changedPayment;
    },
  };
}

/** Advances every status to that day. */
function advanceAll(collections: Collections, changes: Changes, today: PlainDate): void {
  for (const { document: mandate } of collections.mandates.list()) advanceMandate(mandate, changes, today);
  for (const { document: payment } of collections.payments.list()) advancePayment(payment, collections, changes, today);
}

function advanceMandate(mandate: MandateRecord, { setMandate }: Changes, today: PlainDate): void {
  const isSubmitted = mandate.status === 'pending_submission' && addWorkingDaysTo(mandate.created_on, 1) <= today;
  const current = isSubmitted ? setMandate(mandate, 'submitted') : mandate;
  if (current.status === 'submitted' && addWorkingDaysTo(mandate.created_on, MANDATE_LEAD_DAYS) <= today) setMandate(current, 'active');
}

function advancePayment(payment: PaymentRecord, { settings }: Collections, { setPayment }: Changes, today: PlainDate): void {
  let current = payment;
  if (current.status === 'pending_submission' && addWorkingDaysTo(payment.charge_date, -SUBMIT_AHEAD_DAYS) <= today) {
    current = setPayment(current, 'submitted');
  }
  if (current.status === 'submitted' && payment.charge_date < today) {
    const failure = settings.get('fail_next');
    settings.delete('fail_next');
    current = failure === undefined ? setPayment(current, 'confirmed') : setPayment(current, 'failed', failure);
  }
  if (current.status === 'confirmed' && addWorkingDaysTo(payment.charge_date, 2) <= today) setPayment(current, 'paid_out');
}

function createMandate(clock: Clock, { name, accountNumber }: Payer): MandateRecord {
  const id = createId('MD');
  const times = { created_at: clock.now(), created_on: clock.today() };
  return { id, reference: id.slice(2, 12), status: 'pending_submission', payer: name, account_number: accountNumber, ...times };
}

function addWorkingDaysTo(from: PlainDate, days: number): PlainDate {
  return getValueOrForecast(addWorkingDays(from, days)) ?? addDays(from, days);
}

function createId(prefix: string): string {
  return prefix + randomBytes(9).toString('hex').toUpperCase();
}
