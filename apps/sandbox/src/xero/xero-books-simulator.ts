/** Serves recordings of organisations through Xero's accounting API (docs/reference/providers.md section 1). */
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import {
  type CallLimit,
  createCallCounter,
  type FindRecordings,
  getPageSlice,
  readBearerToken,
  readWholeNumber,
  type RecordedObject,
} from '../simulator/recordings.ts';
import { sendTrialBalance } from './xero-trial-balance.ts';
import { searchParams } from '../simulator/request.ts';

/** `mayRead`: whether a token's scopes include a resource. Defaults to all resources. */
export type XeroBooksSimulatorOptions = {
  readonly find: FindRecordings;
  readonly limit?: CallLimit;
  readonly mayRead?: (token: string, resource: string) => boolean;
};

const PAGED_RESOURCES = [
  'Contacts',
  'Invoices',
  'CreditNotes',
  'BankTransactions',
  'Overpayments',
  'Prepayments',
  'Payments',
  'ManualJournals',
] as const;
const UNPAGED_KEYS: Readonly<Record<string, string>> = { Organisation: 'Organisations', TaxRates: 'TaxRates', Accounts: 'Accounts' };
/** Lists omit the lines unless a page is requested. */
const LINE_FIELDS = ['LineItems', 'JournalLines'] as const;
const DEFAULT_PAGE_SIZE = 100;
const MAX_PAGE_SIZE = 1_000;
const KNOWN_PARAMETERS: ReadonlySet<string> = new Set(['page', 'pageSize', 'includeArchived']);

export function createXeroBooksSimulator({ find, limit, mayRead }: XeroBooksSimulatorOptions): FastifyPluginAsync {
  const countCall = createCallCounter(limit);
  return async (app) => {
    const serve = (
      resource: string,
      send: (request: FastifyRequest, reply: FastifyReply, recordedObjects: readonly RecordedObject[]) => FastifyReply,
    ) =>
      app.get(`/${resource}`, (request, reply) => {
        const tenantId = String(request.headers['xero-tenant-id'] ?? '');
        const token = readBearerToken(request.headers.authorization);
        const recordings = find(token, tenantId);
        if (recordings === 'unknown_token') return sendProblem(reply, 401, 'Unauthorized', 'TokenExpired: token expired');
        if (recordings === 'other_organisation') return sendProblem(reply, 403, 'Forbidden', 'AuthenticationUnsuccessful');
        if (mayRead?.(token, resource) === false) return sendProblem(reply, 401, 'Unauthorized', 'AuthorizationUnsuccessful');
        const waitSeconds = countCall(tenantId);
        if (waitSeconds !== undefined) {
          void reply.headers({ 'retry-after': String(waitSeconds), 'x-rate-limit-problem': 'minute' });
          return reply.code(429).send('');
        }
        return send(request, reply, recordings[resource] ?? []);
      });
    for (const [resource, member] of Object.entries(UNPAGED_KEYS)) {
      serve(resource, (request, reply, recordedObjects) => sendList(reply, member, filterChangedSince(recordedObjects, request)));
    }
    serve('Reports/TrialBalance', (request, reply) => {
      const recordings = find(readBearerToken(request.headers.authorization), String(request.headers['xero-tenant-id'] ?? ''));
      return typeof recordings === 'string' ? reply : sendTrialBalance(request, reply, recordings);
    });
    for (const resource of PAGED_RESOURCES)
      serve(resource, (request, reply, recordedObjects) => sendPage(request, reply, resource, recordedObjects));
  };
}

function sendProblem(reply: FastifyReply, status: number, title: string, detail: string): FastifyReply {
  return reply.code(status).send({ Type: null, Title: title, Status: status, Detail: detail, Extensions: {} });
}

function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  resource: string,
  recordedObjects: readonly RecordedObject[],
): FastifyReply {
  const parameters = searchParams(request);
  const unknownParameter = [...parameters.keys()].find((name) => !KNOWN_PARAMETERS.has(name));
  const page = readWholeNumber(parameters.get('page'), 1, [1, 1_000_000]);
  const pageSize = readWholeNumber(parameters.get('pageSize'), DEFAULT_PAGE_SIZE, [1, MAX_PAGE_SIZE]);
  if (unknownParameter !== undefined || page === undefined || pageSize === undefined) {
    const message =
      unknownParameter === undefined ? 'page and pageSize must be whole numbers' : `the simulator doesn’t know ${unknownParameter}`;
    return reply.code(400).send({ ErrorNumber: 10, Type: 'ValidationException', Message: message, Elements: [] });
  }
  const includesArchived = resource !== 'Contacts' || parameters.get('includeArchived') === 'true';
  const changedObjects = filterChangedSince(recordedObjects, request).filter(
    ({ ContactStatus }) => includesArchived || ContactStatus !== 'ARCHIVED',
  );
  if (parameters.get('page') === null) return sendList(reply, resource, changedObjects.slice(0, DEFAULT_PAGE_SIZE).map(removeLines));
  const pagination = { page, pageSize, pageCount: Math.ceil(changedObjects.length / pageSize), itemCount: changedObjects.length };
  return sendList(reply, resource, getPageSlice(changedObjects, page, pageSize), { pagination });
}

function sendList(reply: FastifyReply, member: string, items: readonly RecordedObject[], extra: RecordedObject = {}): FastifyReply {
  return reply.send({ Id: '00000000-0000-0000-0000-000000000000', Status: 'OK', ProviderName: 'Sandbox', ...extra, [member]: items });
}

/** Objects without a modification time always count as changed. */
function filterChangedSince(recordedObjects: readonly RecordedObject[], { headers }: FastifyRequest): readonly RecordedObject[] {
  const since = headers['if-modified-since'];
  if (since === undefined) return recordedObjects;
  const sinceMs = Date.parse(/Z|GMT/.test(since) ? since : `${since}Z`);
  return recordedObjects.filter((item) => {
    const changedAt = /^\/Date\((\d+)/.exec(String(item['UpdatedDateUTC']))?.[1];
    return changedAt === undefined || Number(changedAt) > sinceMs;
  });
}

function removeLines(item: RecordedObject): RecordedObject {
  return { ...item, ...Object.fromEntries(LINE_FIELDS.filter((member) => member in item).map((member) => [member, []])) };
}
