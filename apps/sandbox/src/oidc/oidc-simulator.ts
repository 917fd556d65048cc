/** Simulates the sign-in provider that a profile describes: pages, token endpoint, keys and users. All of its state is in the store. */
import { toEpochMs } from '@portal/domain/clock.ts';
import type {
  FastifyInstance,
  FastifyPluginAsync,
  FastifyReply,
  FastifyRequest,
  preHandlerAsyncHookHandler,
  RouteShorthandOptions,
} from 'fastify';
import { createFaultHooks } from '../simulator/fault-hooks.ts';
import { decideConsent, showConsent, startAuthorize } from './consent-page.ts';
import { openIdentityRecords, type AccessRecord, type Person } from './identity-records.ts';
import { findPerson, seedPerson } from './people.ts';
import type { IdentityContext, OidcSimulatorDeps, PersonSeed, ProviderProfile } from './provider-profile.ts';
import { CONSENT_PATH, SIGN_IN_PATH, showSignIn, signIn } from './sign-in-page.ts';
import { getPublicKeySet } from './signing-keys.ts';
import { handleTokenRequest } from './token-endpoint.ts';

export type OidcSimulator = { readonly plugin: FastifyPluginAsync; readonly controls: IdentityControls };

/** Controls for the control page and tests, which the provider's API doesn't have. */
export type IdentityControls = {
  /** Creates the user unless it exists. The same seed always produces the same subject. */
  seedPerson(seed: PersonSeed): Person;
  listPeople(): Person[];
  /** Changes the user's details but keeps the subject. */
  changePerson(emailOrSubject: string, change: Partial<Pick<Person, 'email' | 'fullName' | 'emailVerified'>>): Person | undefined;
  /** Revokes the app's access on the user's behalf: all tokens become invalid, and consent is required again. */
  revokeAccess(emailOrSubject: string): void;
};

export function createOidcSimulator(profile: ProviderProfile, deps: OidcSimulatorDeps): OidcSimulator {
  const publicUrl = deps.publicUrl.replace(/\/$/, '');
  const basePath = new URL(publicUrl).pathname.replace(/\/$/, '');
  const context: IdentityContext = { ...deps, profile, publicUrl, basePath, records: openIdentityRecords(deps.store, profile.provider) };
  return {
    controls: createControls(context),
    plugin: async (app) => {
      app.setNotFoundHandler((_request, reply) =>
        reply.code(404).send({ error: 'not_found', error_description: `The ${profile.brand} simulator has no such path.` }),
      );
      servePages(app, context);
      serveApi(app, context);
      profile.serveExtraRoutes?.(app, context);
    },
  };
}

/** Serves the pages shown in the user's browser. */
function servePages(app: FastifyInstance, context: IdentityContext): void {
  app.get(context.profile.paths.authorize, (request, reply) => startAuthorize(context, request, reply));
  app.get(SIGN_IN_PATH, (request, reply) => showSignIn(context, request, reply));
  app.post(SIGN_IN_PATH, (request, reply) => signIn(context, request, reply));
  app.get(CONSENT_PATH, (request, reply) => showConsent(context, request, reply));
  app.post(CONSENT_PATH, (request, reply) => decideConsent(context, request, reply));
}

/** Serves the endpoints that the app calls. */
function serveApi(app: FastifyInstance, context: IdentityContext): void {
  const { profile, faults } = context;
  const { token, jwks, userinfo } = profile.paths;
  const { discovery } = profile;
  const toRouteOptions = (name: string): RouteShorthandOptions => {
    const { preHandler, onSend } = createFaultHooks(faults, `${profile.provider}.${name}`);
    return { preHandler: [preHandler, rejectInvalidCall(profile)], onSend };
  };
  app.post(token, toRouteOptions('token'), (request, reply) => handleTokenRequest(context, request, reply));
  if (userinfo !== undefined) app.get(userinfo, toRouteOptions('userinfo'), (request, reply) => sendUserinfo(context, request, reply));
  if (jwks !== undefined) app.get(jwks, toRouteOptions('jwks'), async (_request, reply) => reply.send(await getPublicKeySet(context)));
  if (discovery !== undefined) app.get(discovery.path, toRouteOptions('discovery'), (_request, reply) => reply.send(discovery.document));
}

function rejectInvalidCall(profile: ProviderProfile): preHandlerAsyncHookHandler {
  return async (request, reply) => {
    const problem = profile.findCallProblem?.(request.headers);
    return problem === undefined ? undefined : reply.code(400).type('text/plain; charset=utf-8').send(problem);
  };
}

function sendUserinfo(context: IdentityContext, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const tokenGrant = findGrant(context, request);
  const person = tokenGrant && context.records.people.get(tokenGrant.subject);
  if (!tokenGrant || !person) {
    return reply.code(401).header('www-authenticate', 'Bearer error="invalid_token"').send({ error: 'invalid_token' });
  }
  return reply.send(context.profile.userinfo(person, tokenGrant.scopes));
}

/** Returns the record of a valid access token. */
export function findGrant({ records, clock }: IdentityContext, { headers }: FastifyRequest): AccessRecord | undefined {
  const token = /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  const tokenGrant = token === undefined ? undefined : records.accessTokens.get(token);
  return tokenGrant && toEpochMs(tokenGrant.expiresAt) > toEpochMs(clock.now()) ? tokenGrant : undefined;
}

function createControls({ profile, records, store }: IdentityContext): IdentityControls {
  return {
    seedPerson: (seed) => seedPerson(profile, records, seed),
    listPeople: () => records.people.list().map(({ document }) => document),
    changePerson: (emailOrSubject, change) => {
      const person = findPerson(records, emailOrSubject);
      if (!person) return undefined;
      const changedPerson = { ...person, ...change };
      records.people.put(person.subject, changedPerson);
      return changedPerson;
    },
    revokeAccess: (emailOrSubject) =>
      store.atomically(() => {
        const subject = findPerson(records, emailOrSubject)?.subject;
        if (subject === undefined) return;
        records.consents.delete(subject);
        for (const kind of [records.codes, records.accessTokens, records.refreshTokens]) {
          for (const { key, document } of kind.list()) if (document.subject === subject) kind.delete(key);
        }
      }),
  };
}
