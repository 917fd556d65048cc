/**
 * Serves a contract: session -> policy -> input -> handler -> only the listed fields of the response. A missing handler is a compile error.
 */
import { CLIENT_DEVICE_HEADER, clientDeviceInput, type ClientDevice } from '@portal/contract/client-device.ts';
import type { Endpoint, EndpointOutput, ParsedEndpointInput } from '@portal/contract/endpoint.ts';
import { AppError } from '@portal/domain/app-error.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AppDeps, JobOverview } from '../app-deps.ts';
import { authorise, type AuthoriseSettings } from './authorise.ts';
import { respondOnce } from './idempotency.ts';
import { runOneAtATime } from './person-queue.ts';
import {
  assertConfirmedRecently,
  assertFreshFactor,
  needsConfirmation,
  needsFreshFactor,
  needsSettledAccess,
  requiresNoPrivateInterest,
} from './policies.ts';
import { assertJsonText, JsonText } from './json-text.ts';
import { findCompanyId, omitTenant, type TenantFor, type WithoutTenant } from './resolve-tenant.ts';
import { getResponseSchema } from './response-schema.ts';
import { assertSameOrigin } from './same-origin.ts';
import { getActingUserId, type Actor } from './session.ts';

/** The connection of a request, for the audit trail and HMRC's fraud prevention headers. */
export type Caller = {
  readonly ip: string;
  readonly port: number | undefined;
  readonly userAgent: string;
  readonly deviceId: string | undefined;
  readonly device: ClientDevice | undefined;
};

/** Lets a handler set cookies. */
export type Reply = FastifyReply;

/** A request as passed to its handler. */
export type Call<E extends Endpoint, Who = Actor> = {
  /** The input without the fields that identify the tenant. */
  readonly input: WithoutTenant<ParsedEndpointInput<E>, E['access']>;
  /** The company, practice or client that the request is about. Undefined if the access rule has no tenant. */
  readonly tenant: TenantFor<E['access']>;
  /** The signed-in user. May be undefined if the endpoint is public. */
  readonly actor: Who;
  readonly caller: Caller;
  readonly reply: Reply;
  readonly sessionToken: string | undefined;
};

type ActorOf<E extends Endpoint> = E['access'] extends 'public' ? Actor | undefined : Actor;
export type Handlers<Api extends Record<string, Endpoint>> = {
  readonly [Name in keyof Api]: (
    call: Call<Api[Name], ActorOf<Api[Name]>>,
  ) => Promise<EndpointOutput<Api[Name]> | JsonText<EndpointOutput<Api[Name]>>>;
};

export type ServeSettings = AuthoriseSettings & {
  /** Throws if the operator has a private interest in the company. */
  readonly assertNoInterest: (operatorId: string, companyId: string) => Promise<void>;
  readonly assertAccessIsNotNew: (operatorId: string) => Promise<void>;
  /** Throws if the user has exceeded the endpoint's limit on calls. */
  readonly limitPerPerson: (userId: string, path: string, max: number) => Promise<void>;
  /** Also validates every response against its zod schema. Used in tests. */
  readonly validateOutputs: boolean;
};

/** The handlers for several subjects of the contract. all-handlers.ts covers all subjects. */
export type HandlerFactories<Subjects extends Record<string, Record<string, Endpoint>>> = {
  readonly [Subject in keyof Subjects]: (deps: AppDeps, jobs: JobOverview) => Handlers<Subjects[Subject]>;
};

export function serveSubjects<const Subjects extends Record<string, Record<string, Endpoint>>>(
  app: FastifyInstance,
  deps: AppDeps,
  jobs: JobOverview,
  settings: ServeSettings,
  subjects: Subjects,
  factories: HandlerFactories<Subjects>,
): void {
  for (const subject of Object.keys(subjects) as (keyof Subjects)[]) {
    serveContract(app, deps, settings, subjects[subject], factories[subject](deps, jobs));
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
    const handle = handlers[name] as unknown as (call: Record<keyof Call<Endpoint>, unknown>) => Promise<unknown>;
    app.route({
      method: endpoint.method,
      url: `/portal${endpoint.path}`,
      schema: { response: { 200: getResponseSchema(endpoint.output) } },
      config: { isCall: true },
      handler: async (request, reply) => {
        if (endpoint.method !== 'GET') assertSameOrigin(request);
        const isRead = endpoint.method === 'GET';
        const namedInput = isRead ? request.query : (request.body ?? {});
        const { access, hasEffect, endsViewing, callsHmrc, needsPerson } = endpoint;
        const rule = { access, mayOmitTenant: isRead, hasEffect, endsViewing, callsHmrc, needsPerson };
        const { actor, tenant, raw, sessionToken } = await authorise(settings, rule, request, namedInput);
        if (actor && needsFreshFactor(endpoint)) assertFreshFactor(actor, deps.wallClock.now());
        if (actor && needsConfirmation(endpoint)) assertConfirmedRecently(actor, deps.wallClock.now());
        const input = endpoint.input.parse(raw);
        // An operator viewing the portal as a user has limits of their own, so that they don't use up the user's.
        const callerId = actor && getActingUserId(actor);
        if (callerId && endpoint.maxPerPerson !== undefined) await settings.limitPerPerson(callerId, endpoint.path, endpoint.maxPerPerson);
        if (actor && needsSettledAccess(endpoint)) await settings.assertAccessIsNotNew(actor.userId);
        const company = findCompanyId(raw);
        if (actor && company !== undefined && requiresNoPrivateInterest(endpoint)) await settings.assertNoInterest(actor.userId, company);
        const caller = getCaller(request, endpoint);
        // The response is for this user at this moment, so caches must not store it.
        reply.header('cache-control', 'no-store');
        const respond = async (): Promise<unknown> => {
          const output = await handle({ input: omitTenant(input, tenant), tenant, actor, caller, reply, sessionToken });
          if (output instanceof JsonText) {
            if (settings.validateOutputs) assertJsonText(endpoint.output, output);
            return reply.type('application/json; charset=utf-8').send(output.text);
          }
          return settings.validateOutputs ? endpoint.output.parse(output) : output;
        };
        if (endpoint.runsOneAtATime && callerId) return runOneAtATime(callerId, respond);
        // A caller can make any write safely repeatable by sending an idempotency key.
        const isOnce = endpoint.needsIdempotencyKey || (!isRead && actor?.credential && request.headers['idempotency-key'] !== undefined);
        return isOnce ? respondOnce(deps, { endpoint, request, reply, input, actor }, respond) : respond();
      },
    });
  }
}

export const DEVICE_COOKIE = 'portal_device';

/** Describes the caller from the connection. Also used for navigations. */
export function getCaller(request: FastifyRequest, endpoint: Pick<Endpoint, 'callsHmrc'> = {}): Caller {
  return {
    ip: request.ip,
    port: getClientPort(request),
    userAgent: request.headers['user-agent'] ?? '',
    deviceId: request.cookies[DEVICE_COOKIE],
    device: endpoint.callsHmrc ? parseDevice(request) : undefined,
  };
}

/** Behind a proxy the socket's port is the proxy's; only the proxy can report the client's. */
function getClientPort(request: FastifyRequest): number | undefined {
  // The first address is the connection's own. A trusted proxy adds the address that it forwards for.
  if ((request.ips?.length ?? 1) < 2) return request.socket.remotePort;
  const forwardedPort = Number(request.headers['x-forwarded-client-port']);
  return Number.isInteger(forwardedPort) && forwardedPort > 0 ? forwardedPort : undefined;
}

function parseDevice(request: FastifyRequest): ClientDevice | undefined {
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
