/** The simulator's billing requests, mandates, payments and events. Statuses follow the sandbox clock, like Bacs follows working days. */
import { randomBytes } from 'node:crypto';
import type { Clock } from '@portal/domain/clock.ts';
import { addDays, plainDate, type PlainDate } from '@portal/domain/plain-date.ts';
import type { MANDATE_STATUSES, PAYMENT_STATUSES } from '@portal/domain/shortfalls/direct-debit.ts';
import { addWorkingDays } from '@portal/domain/uk-tax/calendar/working-days.ts';
import { valueOrForecast } from '@portal/domain/uk-tax/known.ts';
import type { EventWire } from '@portal/providers/gocardless/gocardless-wire.ts';
import type { SimulatorStore } from '../simulator/simulator-store.ts';

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
  /** When GoCardless emailed the payer the amount and the date. */
  readonly notified_at: string;
};

export type GoCardlessRecords = ReturnType<typeof openGoCardlessRecords>;

/** A new mandate can be charged this many working days later, because Bacs tells the payer's bank first. */
const MANDATE_LEAD_DAYS = 3;
/** A payment reaches the bank this many working days before it is charged. */
const SUBMIT_AHEAD_DAYS = 2;

export class RecordsError extends Error {}

export function openGoCardlessRecords(store: SimulatorStore, clock: Clock, queue: (event: EventWire) => void) {
  const requests = store.collection<BillingRequestRecord>('gocardless.billing_requests');
  const flows = store.collection<FlowRecord>('gocardless.flows');
  const mandates = store.collection<MandateRecord>('gocardless.mandates');
  const payments = store.collection<PaymentRecord>('gocardless.payments');
  const events = store.collection<EventWire>('gocardless.events');
  const settings = store.collection<string>('gocardless.settings');

  const emit = (resource_type: string, action: string, links: Record<string, string>, description?: string): void => {
    const event: EventWire = {
      id: newId('EV'),
      created_at: clock.now(),
      resource_type,
      action,
      links,
      details: {
        origin: description === undefined ? 'gocardless' : 'bank',
        cause: action,
        description: description ?? action,
        scheme: 'bacs',
      },
    };
    events.put(event.id, event);
    queue(event);
  };

  const setMandate = (mandate: MandateRecord, status: MandateStatus, description?: string): MandateRecord => {
    const changed = { ...mandate, status };
    mandates.put(mandate.id, changed);
    emit('mandates', status, { mandate: mandate.id }, description);
    return changed;
  };
  const setPayment = (payment: PaymentRecord, status: PaymentStatus, description?: string): PaymentRecord => {
    const changed = { ...payment, status };
    payments.put(payment.id, changed);
    emit('payments', status, { payment: payment.id, mandate: payment.mandate_id }, description);
    return changed;
  };

  const workingDays = (from: PlainDate, days: number): PlainDate => valueOrForecast(addWorkingDays(from, days)) ?? addDays(from, days);

  /** Moves everything to where it would be on the clock's day. */
  const advance = (): void =>
    store.atomically(() => {
      const today = clock.today();
      for (const { document } of mandates.list()) {
        let mandate = document;
        if (mandate.status === 'pending_submission' && workingDays(mandate.created_on, 1) <= today)
          mandate = setMandate(mandate, 'submitted');
        if (mandate.status === 'submitted' && workingDays(mandate.created_on, MANDATE_LEAD_DAYS) <= today) setMandate(mandate, 'active');
      }
      for (const { document } of payments.list()) {
        let payment = document;
        if (payment.status === 'pending_submission' && workingDays(payment.charge_date, -SUBMIT_AHEAD_DAYS) <= today) {
          payment = setPayment(payment, 'submitted');
        }
        if (payment.status === 'submitted' && payment.charge_date < today) payment = charge(payment);
        if (payment.status === 'confirmed' && workingDays(payment.charge_date, 2) <= today) setPayment(payment, 'paid_out');
      }
    });

  const charge = (payment: PaymentRecord): PaymentRecord => {
    const failure = settings.get('fail_next');
    if (failure === undefined) return setPayment(payment, 'confirmed');
    settings.delete('fail_next');
    return setPayment(payment, 'failed', failure);
  };

  return {
    requests,
    flows,
    mandates,
    payments,
    events,
    advance,
    newRequest: (metadata: Record<string, string>): BillingRequestRecord => {
      const request: BillingRequestRecord = { id: newId('BRQ'), status: 'pending', metadata };
      requests.put(request.id, request);
      emit('billing_requests', 'created', { billing_request: request.id });
      return request;
    },
    newFlow: (flow: Omit<FlowRecord, 'id'>): FlowRecord => {
      const created = { ...flow, id: newId('BRF') };
      flows.put(created.id, created);
      return created;
    },
    /** The payer has authorised the mandate on GoCardless's page. */
    fulfil: (request: BillingRequestRecord, payer: string): MandateRecord =>
      store.atomically(() => {
        const id = newId('MD');
        const mandate: MandateRecord = {
          id,
          reference: id.slice(2, 12),
          status: 'pending_submission',
          payer,
          created_at: clock.now(),
          created_on: clock.today(),
        };
        mandates.put(id, mandate);
        requests.put(request.id, { ...request, status: 'fulfilled', mandate_id: id });
        emit('billing_requests', 'fulfilled', { billing_request: request.id, mandate_request_mandate: id });
        emit('mandates', 'created', { mandate: id });
        return mandate;
      }),
    newPayment: (order: {
      amount: number;
      charge_date: string;
      description?: string;
      metadata: Record<string, string>;
      mandate_id: string;
    }): PaymentRecord => {
      const payment: PaymentRecord = {
        ...order,
        id: newId('PM'),
        status: 'pending_submission',
        charge_date: plainDate(order.charge_date),
        created_at: clock.now(),
        notified_at: clock.now(),
      };
      payments.put(payment.id, payment);
      emit('payments', 'created', { payment: payment.id, mandate: payment.mandate_id });
      return payment;
    },
    nextChargeDate: (): PlainDate => workingDays(clock.today(), MANDATE_LEAD_DAYS),
    setMandate,
    setPayment,
    failNextPayment: (reason: string) => settings.put('fail_next', reason),
  };
}

function newId(prefix: string): string {
  return prefix + randomBytes(9).toString('hex').toUpperCase();
}
