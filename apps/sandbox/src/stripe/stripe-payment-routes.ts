/** Routes for payment intents and disputes. */
import { requireRecord } from './stripe-error.ts';
import { toPage } from './stripe-lists.ts';
import { toDisputeResponse, toIntentResponse } from './stripe-responses.ts';
import { requireParam, toOkResponse, type StripeRoute } from './stripe-route.ts';

export const PAYMENT_ROUTES: readonly StripeRoute[] = [
  {
    method: 'GET',
    path: '/payment_intents',
    operation: 'stripe.read',
    answer: ({ params, records }) => {
      const customer = requireParam(params, 'customer');
      const intents = records.intents.list().flatMap(({ document }) => (document.customer === customer ? [document] : []));
      return toOkResponse(toPage('/v1/payment_intents', params, intents.toReversed(), toIntentResponse));
    },
  },
  {
    method: 'GET',
    path: '/payment_intents/:id',
    operation: 'stripe.read',
    answer: ({ id, records }) => toOkResponse(toIntentResponse(requireRecord(records.intents.get(id), 'payment_intent', id))),
  },
  {
    method: 'GET',
    path: '/disputes',
    operation: 'stripe.read',
    answer: ({ params, records }) => {
      const charge = requireParam(params, 'charge');
      const disputes = records.disputes.list().flatMap(({ document }) => (document.charge === charge ? [document] : []));
      return toOkResponse(toPage('/v1/disputes', params, disputes.toReversed(), toDisputeResponse));
    },
  },
];
