/** The double of an identity provider: its pages in the browser, its token endpoint, its keys, and who is who. All it knows is in the store. */
import { epochOf } from '@portal/domain/clock.ts';
import { findRoute, type Simulator, type SimulatorCall, type SimulatorRoute } from '../simulator/simulator.ts';
import { json } from '../simulator/responses.ts';
import { decideConsent, showConsent, startAuthorize } from './consent-page.ts';
import { openIdentityRecords, type AccessRecord, type Person } from './identity-records.ts';
import { findPerson, seedPerson } from './people.ts';
import type { IdentityContext, OidcSimulatorDeps, PersonSeed, ProviderProfile } from './provider-profile.ts';
import { CONSENT_PATH, SIGN_IN_PATH, showSignIn, signIn } from './sign-in-page.ts';
import { publicKeySet } from './signing-keys.ts';
import { answerTokenRequest } from './token-endpoint.ts';

export type OidcSimulator = Simulator & { readonly controls: IdentityControls };

/** What a person or a test may do to the double beside its wire. */
export type IdentityControls = {
  /** Makes the person unless it is there already; the same seed makes the same subject for ever. */
  seedPerson(seed: PersonSeed): Person;
  listPeople(): Person[];
  /** The person keeps its subject: people change their name and address. */
  changePerson(emailOrSubject: string, change: Partial<Pick<Person, 'email' | 'fullName' | 'emailVerified'>>): Person | undefined;
  /** The person takes the application's access away: every token dies, and consent is asked for anew. */
  revokeAccess(emailOrSubject: string): void;
};

type Route = SimulatorRoute & { readonly operation?: string };

export function createOidcSimulator(profile: ProviderProfile, deps: OidcSimulatorDeps): OidcSimulator {
  const publicUrl = deps.publicUrl.replace(/\/$/, '');
  const basePath = new URL(publicUrl).pathname.replace(/\/$/, '');
  const context: IdentityContext = { ...deps, profile, publicUrl, basePath, records: openIdentityRecords(deps.store, profile.provider) };
  const routes = routesOf(context);
  return {
    controls: controlsOf(context),
    fetch: async (request) => {
      const url = new URL(request.url);
      const found = findRoute(routes, basePath, request.method, url.pathname);
      if (!found) return json(404, { error: 'not_found', error_description: `The ${profile.brand} double knows no such address.` });
      const { operation, answer } = found.route;
      const call: SimulatorCall = { request, url, params: found.params, bodyText: await request.text() };
      return operation === undefined ? answer(call) : deps.faults.through(operation, () => profile.refuseCall?.(request) ?? answer(call));
    },
  };
}

function routesOf(context: IdentityContext): Route[] {
  const { profile } = context;
  const { authorize, token, jwks, userinfo } = profile.paths;
  const named = (name: string) => `${profile.provider}.${name}`;
  return [
    { method: 'GET', path: authorize, answer: (call) => startAuthorize(context, call) },
    { method: 'GET', path: SIGN_IN_PATH, answer: (call) => showSignIn(context, call) },
    { method: 'POST', path: SIGN_IN_PATH, answer: (call) => signIn(context, call) },
    { method: 'GET', path: CONSENT_PATH, answer: (call) => showConsent(context, call) },
    { method: 'POST', path: CONSENT_PATH, answer: (call) => decideConsent(context, call) },
    { operation: named('token'), method: 'POST', path: token, answer: (call) => answerTokenRequest(context, call) },
    { operation: named('userinfo'), method: 'GET', path: userinfo, answer: (call) => answerUserinfo(context, call) },
    ...(jwks === undefined
      ? []
      : [{ operation: named('jwks'), method: 'GET', path: jwks, answer: async () => json(200, await publicKeySet(context)) }]),
    ...(profile.discovery === undefined
      ? []
      : [
          {
            operation: named('discovery'),
            method: 'GET',
            path: profile.discovery.path,
            answer: () => json(200, profile.discovery?.document),
          },
        ]),
  ];
}

function answerUserinfo(context: IdentityContext, { request }: SimulatorCall): Response {
  const granted = bearerOf(context, request);
  const person = granted && context.records.people.get(granted.subject);
  if (!granted || !person) {
    return json(401, { error: 'invalid_token' }, { 'www-authenticate': 'Bearer error="invalid_token"' });
  }
  return json(200, context.profile.userinfo(person, granted.scopes));
}

/** What the caller's access token stands for, while it lives. */
export function bearerOf({ records, clock }: Pick<IdentityContext, 'records' | 'clock'>, request: Request): AccessRecord | undefined {
  const token = /^bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
  const granted = token === undefined ? undefined : records.accessTokens.get(token);
  return granted && epochOf(granted.expiresAt) > epochOf(clock.now()) ? granted : undefined;
}

function controlsOf({ profile, records, store }: IdentityContext): IdentityControls {
  return {
    seedPerson: (seed) => seedPerson(profile, records, seed),
    listPeople: () => records.people.list().map(({ document }) => document),
    changePerson: (who, change) => {
      const person = findPerson(records, who);
      if (!person) return undefined;
      const changed = { ...person, ...change };
      records.people.put(person.subject, changed);
      return changed;
    },
    revokeAccess: (who) =>
      store.atomically(() => {
        const subject = findPerson(records, who)?.subject;
        if (subject === undefined) return;
        records.consents.delete(subject);
        for (const kind of [records.codes, records.accessTokens, records.refreshTokens]) {
          for (const { key, document } of kind.list()) if (document.subject === subject) kind.delete(key);
        }
      }),
  };
}
