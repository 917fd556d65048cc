/** Serves recordings of the token’s company through FreeAgent's API (docs/reference/providers.md section 3). */
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import {
  type CallLimit,
  createCallCounter,
  type FindRecordings,
  getPageSlice,
  readBearerToken,
  readWholeNumber,
  type RecordedObject,
  type Recordings,
} from '../simulator/recordings.ts';
import { requestUrl, searchParams } from '../simulator/request.ts';

/** `listClients` returns an account manager's clients in a given view. Without it, the practice API isn't served. */
export type FreeAgentBooksSimulatorOptions = {
  readonly find: FindRecordings;
  readonly listClients?: (token: string, view: string) => readonly RecordedObject[];
  readonly limit?: CallLimit;
};

/** List items omit these unless the call requests them with this parameter. */
const NESTED_ITEMS: Readonly<Record<string, string>> = {
  invoices: 'invoice_items',
  credit_notes: 'credit_note_items',
  bills: 'bill_items',
};
const LIST_RESOURCES = ['contacts', 'invoices', 'credit_notes', 'bills', 'expenses', 'vat_returns'] as const;
const DEFAULT_PAGE_SIZE = 25;
const MAX_PAGE_SIZE = 100;
const ONLY_ACCOUNT = 'https://api.freeagent.com/v2/bank_accounts/1';

export function createFreeAgentBooksSimulator({ find, listClients, limit }: FreeAgentBooksSimulatorOptions): FastifyPluginAsync {
  const countCall = createCallCounter(limit);
  return async (app) => {
    const serve = (path: string, send: (request: FastifyRequest, reply: FastifyReply, recordings: Recordings) => FastifyReply) =>
      app.get(`/${path}`, (request, reply) => {
        const { headers } = request;
        if (!headers['user-agent']) return sendError(reply, 400, 'User-Agent is missing');
        const recordings = find(readBearerToken(headers.authorization), readSubdomain(headers));
        if (recordings === 'unknown_token') return sendError(reply, 401, 'Access token not recognised');
        if (listClients && readSubdomain(headers) === '') return sendError(reply, 403, 'X-Subdomain is missing');
        if (recordings === 'other_organisation') return sendError(reply, 403, 'Access denied');
        if (countCall(readBearerToken(headers.authorization)) !== undefined)
          return reply.code(429).header('retry-after', '60').type('text/plain').send('Too many requests');
        return send(request, reply, recordings);
      });
    if (listClients) {
      app.get('/clients', (request, reply) => {
        const token = readBearerToken(request.headers.authorization);
        if (!request.headers['user-agent']) return sendError(reply, 400, 'User-Agent is missing');
        if (find(token, '') === 'unknown_token') return sendError(reply, 401, 'Access token not recognised');
        const view = searchParams(request).get('view') ?? 'all';
        return sendPage(request, reply, 'clients', listClients(token, view));
      });
    }
    serve('company', (_request, reply, { company }) => reply.send({ company: company?.[0] ?? {} }));
    serve('categories', (_request, reply, { categories }) => reply.send(categories?.[0] ?? {}));
    serve('bank_accounts', (request, reply, recordings) => sendPage(request, reply, 'bank_accounts', listAccounts(recordings)));
    serve('bank_transaction_explanations', (request, reply, recordings) => {
      const account = searchParams(request).get('bank_account');
      if (account === null) return sendError(reply, 400, 'bank_account is missing');
      const explanationsOfAccount = (recordings['bank_transaction_explanations'] ?? []).filter(
        (explanation) => readAccount(explanation) === account,
      );
      return sendPage(request, reply, 'bank_transaction_explanations', explanationsOfAccount);
    });
    for (const resource of LIST_RESOURCES)
      serve(resource, (request, reply, recordings) => sendPage(request, reply, resource, recordings[resource] ?? []));
  };
}

function readSubdomain({ 'x-subdomain': subdomain }: FastifyRequest['headers']): string {
  return typeof subdomain === 'string' ? subdomain : '';
}

function sendError(reply: FastifyReply, status: number, message: string): FastifyReply {
  return reply.code(status).send({ errors: { error: { message } } });
}

function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  resource: string,
  recordedObjects: readonly RecordedObject[],
): FastifyReply {
  const parameters = searchParams(request);
  const page = readWholeNumber(parameters.get('page'), 1, [1, 1_000_000]);
  const pageSize = readWholeNumber(parameters.get('per_page'), DEFAULT_PAGE_SIZE, [1, MAX_PAGE_SIZE]);
  if (page === undefined || pageSize === undefined)
    return reply.code(400).send({ errors: { error: { message: 'page or per_page is invalid' } } });
  const since = parameters.get('updated_since');
  const shownObjects =
    resource === 'contacts' && parameters.get('view') !== 'all'
      ? recordedObjects.filter(({ status }) => status !== 'Hidden')
      : recordedObjects;
  const changedObjects =
    since === null
      ? shownObjects
      : shownObjects.filter(({ updated_at: at }) => typeof at !== 'string' || Date.parse(at) > Date.parse(since));
  const items = NESTED_ITEMS[resource];
  const isNested = items === undefined || parameters.get(`nested_${items}`) === 'true';
  const pageObjects = getPageSlice(changedObjects, page, pageSize).map((item) => (isNested ? item : { ...item, [items]: undefined }));
  void reply.header('x-total-count', String(changedObjects.length));
  const link = toLink(requestUrl(request), page, Math.ceil(changedObjects.length / pageSize));
  if (link !== '') void reply.header('link', link);
  return reply.send({ [resource]: pageObjects });
}

function toLink(url: URL, page: number, last: number): string {
  const relations: readonly (readonly [string, number])[] =
    page < last
      ? [
          ['next', page + 1],
          ['last', last],
        ]
      : [];
  return relations
    .map(([relation, target]) => {
      url.searchParams.set('page', String(target));
      return `<${url.href}>; rel="${relation}"`;
    })
    .join(', ');
}

/** Lists the recorded accounts. Other accounts that the explanations mention are listed as sterling accounts. */
function listAccounts({ bank_accounts: recorded = [], bank_transaction_explanations: explanations = [] }: Recordings): RecordedObject[] {
  const knownUrls = new Set(recorded.map(({ url }) => url));
  const unlistedUrls = [...new Set(explanations.map(readAccount))].filter((url) => !knownUrls.has(url));
  return [...recorded, ...unlistedUrls.map((url) => ({ url, currency: 'GBP' }))];
}

function readAccount({ bank_account: account }: RecordedObject): string {
  return typeof account === 'string' ? account : ONLY_ACCOUNT;
}
