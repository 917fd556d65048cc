/** Serves recordings of companies through QuickBooks Online's query endpoint (docs/reference/providers.md section 2). */
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { type CallLimit, createCallCounter, type FindRecordings, readBearerToken, type Recordings } from '../simulator/recordings.ts';
import { searchParams } from '../simulator/request.ts';
import { sendTrialBalance } from './quickbooks-trial-balance.ts';
import { MAX_RESULTS, parseQuickBooksQuery, runQuickBooksQuery } from './quickbooks-query.ts';

export type QuickBooksBooksSimulatorOptions = { readonly find: FindRecordings; readonly limit?: CallLimit };

const MINOR_VERSION = '75';

export function createQuickBooksBooksSimulator({ find, limit }: QuickBooksBooksSimulatorOptions): FastifyPluginAsync {
  const countCall = createCallCounter(limit);
  return async (app) => {
    const serve = (path: string, send: (request: FastifyRequest, reply: FastifyReply, recordings: Recordings) => FastifyReply) =>
      app.get<{ Params: { realmId: string } }>(`/v3/company/:realmId/${path}`, (request, reply) => {
        void reply.header('intuit_tid', '1-sandbox');
        const recordings = find(readBearerToken(request.headers.authorization), request.params.realmId);
        if (recordings === 'unknown_token') return sendGatewayError(reply, 401, '3200', 'AuthenticationFailed');
        if (recordings === 'other_organisation') return sendGatewayError(reply, 403, '3100', 'ApplicationAuthorizationFailed');
        if (countCall(request.params.realmId) !== undefined) return sendGatewayError(reply, 429, '3001', 'ThrottleExceeded');
        return send(request, reply, recordings);
      });
    serve('query', sendResults);
    serve('reports/TrialBalance', sendTrialBalance);
  };
}

function sendResults(request: FastifyRequest, reply: FastifyReply, recordings: Recordings): FastifyReply {
  const parameters = searchParams(request);
  if (parameters.get('minorversion') !== MINOR_VERSION) return sendFault(reply, 'minorversion must be 75');
  const query = parseQuickBooksQuery(parameters.get('query') ?? '');
  if (!query) return sendFault(reply, 'Error parsing query');
  if (query.max < 1 || query.max > MAX_RESULTS || query.start < 1) return sendFault(reply, 'startposition and maxresults are out of range');
  const items = runQuickBooksQuery(query, recordings[query.entity] ?? []);
  const responseTime = '2026-11-24T00:00:00.000-08:00';
  // An empty page omits all members.
  if (items.length === 0) return reply.send({ QueryResponse: {}, time: responseTime });
  return reply.send({ QueryResponse: { [query.entity]: items, startPosition: query.start, maxResults: items.length }, time: responseTime });
}

function sendFault(reply: FastifyReply, detail: string): FastifyReply {
  return reply
    .code(400)
    .send({ Fault: { Error: [{ Message: 'Error parsing query', Detail: detail, code: '4000' }], type: 'ValidationFault' } });
}

/** The gateway's responses use different casing from the API's. */
function sendGatewayError(reply: FastifyReply, status: number, code: string, name: string): FastifyReply {
  const message = `message=${name}; errorCode=00${code}; statusCode=${status}`;
  return reply.code(status).send({
    warnings: null,
    intuitObject: null,
    fault: { error: [{ message, detail: name, code, element: null }], type: 'AUTHENTICATION' },
  });
}
