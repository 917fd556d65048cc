/** Routes that cancel a mandate, or a request that the payer hasn't finished. Those that have already ended can't be cancelled. */
import type { FastifyInstance, RouteShorthandOptions } from 'fastify';
import type { SimulatorStore } from '../simulator/simulator-store.ts';
import { createCannotCancelError, requireFound, toBillingRequestResponse, toMandateResponse } from './gocardless-responses.ts';
import type { GoCardlessRecords } from './gocardless-records.ts';

type IdRoute = { Params: { id: string } };

const CANCELLABLE_STATUSES = ['pending_customer_approval', 'pending_submission', 'submitted', 'active'];

export function serveMandateCancellation(
  app: FastifyInstance,
  store: SimulatorStore,
  records: GoCardlessRecords,
  options: RouteShorthandOptions,
): void {
  app.post<IdRoute>('/mandates/:id/actions/cancel', options, ({ params }) => {
    const mandate = requireFound(records.mandates.get(params.id));
    if (!CANCELLABLE_STATUSES.includes(mandate.status)) throw createCannotCancelError(mandate.status);
    return toMandateResponse(
      store.atomically(() => records.setMandate(mandate, 'cancelled')),
      records,
    );
  });
  app.post<IdRoute>('/billing_requests/:id/actions/cancel', options, ({ params }) => {
    const request = requireFound(records.requests.get(params.id));
    if (request.status !== 'pending') throw createCannotCancelError(request.status);
    return toBillingRequestResponse(store.atomically(() => records.cancelRequest(request)));
  });
}
