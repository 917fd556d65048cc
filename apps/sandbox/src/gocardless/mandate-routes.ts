/** Mandates and their payers' accounts. A mandate, or a request that the payer hasn't finished, is cancelled unless it has already ended. */
import type { FastifyInstance, RouteShorthandOptions } from 'fastify';
import type { SimulatorStore } from '../simulator/simulator-store.ts';
import {
  createCannotCancelError,
  requireFound,
  toBankAccountResponse,
  toBillingRequestResponse,
  toMandateId,
  toMandateResponse,
} from './gocardless-responses.ts';
import type { GoCardlessRecords } from './gocardless-records.ts';

type IdRoute = { Params: { id: string } };

const CANCELLABLE_STATUSES = ['pending_customer_approval', 'pending_submission', 'submitted', 'active'];

export function serveMandates(
  app: FastifyInstance,
  store: SimulatorStore,
  records: GoCardlessRecords,
  options: { readonly read: RouteShorthandOptions; readonly cancel: RouteShorthandOptions },
): void {
  app.get<IdRoute>('/mandates/:id', options.read, ({ params }) =>
    toMandateResponse(requireFound(records.mandates.get(params.id)), records),
  );
  app.get<IdRoute>('/customer_bank_accounts/:id', options.read, ({ params }) =>
    toBankAccountResponse(requireFound(records.mandates.get(toMandateId(params.id)))),
  );
  app.post<IdRoute>('/mandates/:id/actions/cancel', options.cancel, ({ params }) => {
    const mandate = requireFound(records.mandates.get(params.id));
    if (!CANCELLABLE_STATUSES.includes(mandate.status)) throw createCannotCancelError(mandate.status);
    return toMandateResponse(
      store.atomically(() => records.setMandate(mandate, 'cancelled')),
      records,
    );
  });
  app.post<IdRoute>('/billing_requests/:id/actions/cancel', options.cancel, ({ params }) => {
    const request = requireFound(records.requests.get(params.id));
    if (request.status !== 'pending') throw createCannotCancelError(request.status);
    return toBillingRequestResponse(store.atomically(() => records.cancelRequest(request)));
  });
}
