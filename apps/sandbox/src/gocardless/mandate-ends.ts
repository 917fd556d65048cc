/** Routes that cancel a mandate, or a request that the payer hasn't finished. Ended ones can't be cancelled. */
import type { FastifyInstance, RouteShorthandOptions } from 'fastify';
import type { SimulatorStore } from '../simulator/simulator-store.ts';
import { billingRequestAnswer, cannotCancel, mandateAnswer, orNotFound } from './gocardless-answers.ts';
import type { GoCardlessRecords } from './gocardless-records.ts';

type WithId = { Params: { id: string } };

const CANCELLABLE = ['pending_customer_approval', 'pending_submission', 'submitted', 'active'];

export function serveMandateEnds(
  app: FastifyInstance,
  store: SimulatorStore,
  records: GoCardlessRecords,
  options: RouteShorthandOptions,
): void {
  app.post<WithId>('/mandates/:id/actions/cancel', options, ({ params }) => {
    const mandate = orNotFound(records.mandates.get(params.id));
    if (!CANCELLABLE.includes(mandate.status)) throw cannotCancel(mandate.status);
    return mandateAnswer(
      store.atomically(() => records.setMandate(mandate, 'cancelled')),
      records,
    );
  });
  app.post<WithId>('/billing_requests/:id/actions/cancel', options, ({ params }) => {
    const request = orNotFound(records.requests.get(params.id));
    if (request.status !== 'pending') throw cannotCancel(request.status);
    return billingRequestAnswer(store.atomically(() => records.cancelRequest(request)));
  });
}
