/** FreeAgent's API, serving recordings of one company (docs/reference/providers.md section 3). */
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { type CallLimit, createCallCounter, readWhole, type RecordedObject, type Recordings, slicePage } from '../simulator/recordings.ts';
import { requestUrl, searchParams } from '../simulator/request.ts';

export type FreeAgentBooksSimulatorOptions = {
  readonly recordings: Recordings;
  readonly accessToken: string;
  readonly limit?: CallLimit;
};

/** Items of a list are left out unless the call asks for them by this parameter. */
const NESTED_ITEMS: Readonly<Record<string, string>> = {
  invoices: 'invoice_items',
  credit_notes: 'credit_note_items',
  bills: 'bill_items',
};
const LISTS = ['invoices', 'credit_notes', 'bills', 'expenses', 'vat_returns'] as const;
const DEFAULT_PAGE_SIZE = 25;
const MAX_PAGE_SIZE = 100;
const ONLY_ACCOUNT = 'https://api.freeagent.com/v2/bank_accounts/1';

export function createFreeAgentBooksSimulator({ recordings, accessToken, limit }: FreeAgentBooksSimulatorOptions): FastifyPluginAsync {
  const countCall = createCallCounter(limit);
  const explanations = recordings['bank_transaction_explanations'] ?? [];
  return async (app) => {
    app.addHook('onRequest', async ({ headers }, reply) => {
      if (!headers['user-agent']) return reply.code(400).send({ errors: { error: { message: 'User-Agent is missing' } } });
      if (headers.authorization !== `Bearer ${accessToken}`)
        return reply.code(401).send({ errors: { error: { message: 'Access token not recognised' } } });
      const waitSeconds = countCall();
      if (waitSeconds === undefined) return undefined;
      return reply.code(429).header('retry-after', '60').type('text/plain').send('Too many requests');
    });
    app.get('/company', (_request, reply) => reply.send({ company: recordings['company']?.[0] ?? {} }));
    app.get('/categories', (_request, reply) => reply.send(recordings['categories']?.[0] ?? {}));
    app.get('/bank_accounts', (request, reply) => sendPage(request, reply, 'bank_accounts', listAccounts(explanations)));
    app.get('/bank_transaction_explanations', (request, reply) => {
      const account = searchParams(request).get('bank_account');
      if (account === null) return reply.code(400).send({ errors: { error: { message: 'bank_account is missing' } } });
      const ofAccount = explanations.filter((explanation) => readAccount(explanation) === account);
      return sendPage(request, reply, 'bank_transaction_explanations', ofAccount);
    });
    for (const resource of LISTS)
      app.get(`/${resource}`, (request, reply) => sendPage(request, reply, resource, recordings[resource] ?? []));
  };
}

function sendPage(request: FastifyRequest, reply: FastifyReply, resource: string, recorded: readonly RecordedObject[]): FastifyReply {
  const parameters = searchParams(request);
  const page = readWhole(parameters.get('page'), 1, [1, 1_000_000]);
  const pageSize = readWhole(parameters.get('per_page'), DEFAULT_PAGE_SIZE, [1, MAX_PAGE_SIZE]);
  if (page === undefined || pageSize === undefined)
    return reply.code(400).send({ errors: { error: { message: 'page or per_page is invalid' } } });
  const since = parameters.get('updated_since');
  const changed =
    since === null ? recorded : recorded.filter(({ updated_at: at }) => typeof at !== 'string' || Date.parse(at) > Date.parse(since));
  const items = NESTED_ITEMS[resource];
  const isNested = items === undefined || parameters.get(`nested_${items}`) === 'true';
  const listed = slicePage(changed, page, pageSize).map((item) => (isNested ? item : { ...item, [items]: undefined }));
  void reply.header('x-total-count', String(changed.length));
  const link = toLink(requestUrl(request), page, Math.ceil(changed.length / pageSize));
  if (link !== '') void reply.header('link', link);
  return reply.send({ [resource]: listed });
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

/** The recordings have no bank accounts of their own, so these are those of their explanations. */
function listAccounts(explanations: readonly RecordedObject[]): RecordedObject[] {
  return [...new Set(explanations.map(readAccount))].map((url) => ({ url }));
}

function readAccount({ bank_account: account }: RecordedObject): string {
  return typeof account === 'string' ? account : ONLY_ACCOUNT;
}
