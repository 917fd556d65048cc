/** Serves a contract: session -> policy -> input -> handler -> only the listed fields of the answer leave. A missing handler does not compile. */
import { createHash } from 'node:crypto';
import { CLIENT_DEVICE_HEADER, clientDeviceInput, type ClientDevice } from '@portal/contract/client-device.ts';
import type { Endpoint, OutputOf, ParsedInputOf } from '@portal/contract/endpoint.ts';
import { companyInput } from '@portal/contract/scalars.ts';
import { isUniqueViolation } from '@portal/db/sql-errors.ts';
import { idempotencyKeys } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { and, eq } from 'drizzle-orm';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AppDeps, JobOverview } from '../app-deps.ts';
import { clientIdIn, isId, nameClientOnce, type SeesClient } from './client-access.ts';
import { nameTenant, type OnlyPractice } from './name-tenant.ts';
import { isTenants, nothingHere, refusalOf } from './policies.ts';
import { responseSchema } from './response-schema.ts';
import { refuseOtherOrigins } from './same-origin.ts';
import type { Actor } from './session.ts';
import { jsonWriterOf } from './write-json.ts';

/** The connection a call came by, for the audit trail and HMRC's fraud-prevention headers. */
export type Caller = {
  readonly ip: string;
  readonly port: number | undefined;
  readonly userAgent: string;
  readonly deviceId: string | undefined;
  readonly device: ClientDevice | undefined;
};

/** What a handler may set beside its answer: cookies. */
export type Reply = FastifyReply;

/** One call as its handler sees it. */
export type Call<E extends Endpoint, Who = Actor> = {
  readonly input: ParsedInputOf<E>;
  /** Signed in, unless the endpoint is public. */
  readonly actor: Who;
  readonly caller: Caller;
  readonly reply: Reply;
  readonly sessionToken: string | undefined;
};

type ActorOf<E extends Endpoint> = E['access'] extends 'public' ? Actor | undefined : Actor;
export type Handlers<Api extends Record<string, Endpoint>> = {
  readonly [Name in keyof Api]: (call: Call<Api[Name], ActorOf<Api[Name]>>) => Promise<OutputOf<Api[Name]>>;
};

export type ServeSettings = {
  readonly checkSession: (token: string, companyId: string | undefined) => Promise<Actor | undefined>;
  readonly seesClient: SeesClient;
  readonly onlyPractice: OnlyPractice;
  /** Its name depends on how the portal is reached (session.ts). */
  readonly sessionCookie: string;
  /** Checks every answer against its zod shape as well: in tests. */
  readonly validateOutputs: boolean;
};

/** The handlers of several subjects of the contract; all-handlers.ts holds those of all. */
export type HandlerFactories<Subjects extends Record<string, Record<string, Endpoint>>> = {
  readonly [Subject in keyof Subjects]: (deps: AppDeps, jobs: JobOverview) => Handlers<Subjects[Subject]>;
};

export function serveSubjects<const Subjects extends Record<string, Record<string, Endpoint>>>(
  app: FastifyInstance,
  deps: AppDeps & JobOverview,
  settings: ServeSettings,
  subjects: Subjects,
  factories: HandlerFactories<Subjects>,
): void {
  for (const subject of Object.keys(subjects) as (keyof Subjects)[]) {
    serveContract(app, deps, settings, subjects[subject], factories[subject](deps, deps));
  }
}

export function serveContract<const Api extends Record<string, Endpoint>>(
  app: FastifyInstance,
  deps: AppDeps,
  settings: ServeSettings,
  api: Api,
  handlers: Handlers<Api>,
): void {
  for (const [name, endpoint] of Object.entries(api)) {
    const schema = responseSchema(endpoint.output);
    const writeJson = jsonWriterOf(schema);
    const handle = handlers[name] as unknown as (call: Call<Endpoint, Actor | undefined>) => Promise<unknown>;
    app.route({
      method: endpoint.method,
      url: `/portal${endpoint.path}`,
      schema: { response: { 200: schema } },
      ...(writeJson ? { serializerCompiler: () => writeJson } : {}),
      config: { isCall: true },
      handler: async (request, reply) => {
        if (endpoint.method !== 'GET') refuseOtherOrigins(request);
        const raw = endpoint.method === 'GET' ? await readQuery(settings, endpoint, request) : nameClientOnce(request.body ?? {});
        const { actor, sessionToken } = await authorise(settings, endpoint, request, raw);
        const input = endpoint.input.parse(raw);
        if (endpoint.needsIdempotencyKey) await rememberKey(deps, endpoint, request, input);
        const caller = callerOf(request, endpoint);
        // What a call answers belongs to this person at this moment: no cache on the way may keep it.
        reply.header('cache-control', 'no-store');
        const output = await handle({ input, actor, caller, reply, sessionToken });
        return settings.validateOutputs ? endpoint.output.parse(output) : output;
      },
    });
  }
}

/** The query of a read, with what it leaves out because there is only one (name-tenant.ts). */
export function readQuery(
  settings: Pick<ServeSettings, 'onlyPractice' | 'sessionCookie'>,
  { access }: Pick<Endpoint, 'access'>,
  { query, cookies }: FastifyRequest,
): Promise<unknown> {
  return nameTenant(settings.onlyPractice, access, (query ?? {}) as Record<string, unknown>, cookies[settings.sessionCookie]);
}

/** Who calls, if the endpoint's access rule allows them; throws otherwise. Also for routes outside the contract (uploads, downloads). */
export async function authorise(
  settings: Pick<ServeSettings, 'checkSession' | 'seesClient' | 'sessionCookie'>,
  endpoint: Pick<Endpoint, 'access'>,
  request: FastifyRequest,
  input: unknown,
): Promise<{ actor: Actor | undefined; sessionToken: string | undefined }> {
  const sessionToken = request.cookies[settings.sessionCookie];
  const companyId = companyIdIn(input);
  const actor = sessionToken === undefined ? undefined : await settings.checkSession(sessionToken, companyId);
  const refusal = refusalOf(endpoint.access, actor);
  // A badly formed company id is told as such to signed-in people: the specification's client goes home by that wording.
  if (refusal?.kind === 'notFound' && isTenants(endpoint.access)) companyInput.parse(input);
  if (refusal) throw refusal;
  if (endpoint.access.startsWith('client.') && actor && companyId !== undefined) {
    const clientId = clientIdIn(input);
    if (clientId === undefined || !(await settings.seesClient(actor, companyId, clientId))) throw nothingHere();
  }
  return { actor, sessionToken };
}

function companyIdIn(input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null || !('company_id' in input)) return undefined;
  return typeof input.company_id === 'string' && isId(input.company_id) ? input.company_id : undefined;
}

/** A key stands for one request for ever: the same key with another body is a mistake of the caller, told before anything is done. */
async function rememberKey(deps: AppDeps, endpoint: Endpoint, request: FastifyRequest, input: Record<string, unknown>): Promise<void> {
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string' || key.length < 8 || key.length > 200) {
    throw new AppError('invalid', 'idempotency.key_missing', 'Send an Idempotency-Key header of 8 to 200 characters.', {
      field: 'Idempotency-Key',
    });
  }
  const companyId = String(input['company_id']);
  const inputHash = createHash('sha256').update(JSON.stringify(input)).digest('base64url');
  const row = { companyId, key, endpoint: endpoint.path, inputHash, createdAt: deps.clock.now() };
  try {
    await deps.database.db.insert(idempotencyKeys).values(row);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    const [known] = await deps.database.db
      .select({ endpoint: idempotencyKeys.endpoint, inputHash: idempotencyKeys.inputHash })
      .from(idempotencyKeys)
      .where(and(eq(idempotencyKeys.companyId, companyId), eq(idempotencyKeys.key, key)));
    if (known?.endpoint !== endpoint.path || known.inputHash !== inputHash) {
      throw new AppError(
        'conflict',
        'idempotency.key_reused',
        'This Idempotency-Key was used for another request; make a new one.',
        undefined,
        error,
      );
    }
  }
}

export const DEVICE_COOKIE = 'portal_device';

/** Who calls, as far as the connection tells; for navigations too. */
export function callerOf(request: FastifyRequest, endpoint: Pick<Endpoint, 'callsHmrc'> = {}): Caller {
  return {
    ip: request.ip,
    port: clientPort(request),
    userAgent: request.headers['user-agent'] ?? '',
    deviceId: request.cookies[DEVICE_COOKIE],
    device: endpoint.callsHmrc ? deviceOf(request) : undefined,
  };
}

/** Behind a proxy the socket's port is the proxy's own; only the proxy can tell the client's. */
function clientPort(request: FastifyRequest): number | undefined {
  if (request.headers['x-forwarded-for'] === undefined) return request.socket.remotePort;
  const told = Number(request.headers['x-forwarded-client-port']);
  return Number.isInteger(told) && told > 0 ? told : undefined;
}

function deviceOf(request: FastifyRequest): ClientDevice | undefined {
  const header = request.headers[CLIENT_DEVICE_HEADER];
  if (typeof header !== 'string') return undefined;
  try {
    return clientDeviceInput.parse(JSON.parse(decodeURIComponent(header)));
  } catch (cause) {
    throw new AppError(
      'invalid',
      'input.invalid',
      'The portal-device header must be percent-encoded JSON.',
      { field: CLIENT_DEVICE_HEADER },
      cause,
    );
  }
}
