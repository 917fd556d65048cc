/** May the application in: the person's decision, and the code it brings. */
import { randomBytes } from 'node:crypto';
import { addMilliseconds } from '@portal/domain/clock.ts';
import type { SimulatorCall } from '../simulator/simulator.ts';
import { escapeHtml } from '../simulator/responses.ts';
import { errorBox, seeOther } from '../hmrc/www-pages.ts';
import { backTo, readAuthorizeRequest, showProblem, type AuthorizeRequest } from './authorize-request.ts';
import type { Person } from './identity-records.ts';
import { page } from './pages.ts';
import { findPerson } from './people.ts';
import type { IdentityContext } from './provider-profile.ts';
import { CONSENT_PATH, SIGN_IN_PATH, signedInPerson } from './sign-in-page.ts';

/** Scopes that say who somebody is: consent to them is one decision. */
const IDENTITY_SCOPES: ReadonlySet<string> = new Set(['openid', 'email', 'profile', 'phone', 'address', 'offline_access']);

/** The address that the application sends the browser to. With `sandbox_user=EMAIL` (or subject) that person grants all at once. */
export function startAuthorize(context: IdentityContext, call: SimulatorCall): Response {
  const asked = readAuthorizeRequest(context, call);
  if (asked instanceof Response) return asked;
  const named = call.url.searchParams.get('sandbox_user');
  if (named === null) return seeOther(`${context.basePath}${SIGN_IN_PATH}${call.url.search}`);
  const person = findPerson(context.records, named);
  if (!person) return showProblem(context, 'sandbox_user names nobody who holds an account here');
  return grant(context, asked, person, { scopes: asked.scopes, realmId: person.companies?.[0]?.realmId });
}

/** GET /sandbox/consent, with the query of the authorize address. */
export function showConsent(context: IdentityContext, call: SimulatorCall): Response {
  const asked = readAuthorizeRequest(context, call);
  if (asked instanceof Response) return asked;
  const person = signedInPerson(context, call);
  if (!person) return seeOther(`${context.basePath}${SIGN_IN_PATH}${call.url.search}`);
  if (context.profile.remembersConsent && !asksCompany(context, asked.scopes) && !needsConsent(context, asked, person)) {
    return grant(context, asked, person, { scopes: asked.scopes });
  }
  return consentPage(context, call, asked, person);
}

/** POST /sandbox/consent: `decision` is grant or deny; `scope` are the ticked ones; `realm_id` the company. */
export function decideConsent(context: IdentityContext, call: SimulatorCall): Response {
  const asked = readAuthorizeRequest(context, call);
  if (asked instanceof Response) return asked;
  const person = signedInPerson(context, call);
  if (!person) return seeOther(`${context.basePath}${SIGN_IN_PATH}${call.url.search}`);
  const form = new URLSearchParams(call.bodyText);
  const decision = form.get('decision');
  if (decision === 'deny') return backTo(asked, context.profile.deniedParameters);
  if (decision !== 'grant') return consentPage(context, call, asked, person);
  const ticked = new Set(form.getAll('scope'));
  const scopes = asked.scopes.filter((scope) => !isTickable(context, scope) || ticked.has(scope));
  if (!asksCompany(context, scopes)) return grant(context, asked, person, { scopes });
  const realmId = form.get('realm_id') ?? '';
  const isOwn = person.companies?.some((company) => company.realmId === realmId) ?? false;
  return isOwn
    ? grant(context, asked, person, { scopes, realmId })
    : consentPage(context, call, asked, person, 'Choose a company to connect.');
}

function grant(
  context: IdentityContext,
  asked: AuthorizeRequest,
  person: Person,
  chosen: { readonly scopes: readonly string[]; readonly realmId?: string | undefined },
): Response {
  const { records, profile, clock } = context;
  const now = clock.now();
  const before = records.consents.get(person.subject) ?? [];
  const together = [...new Set([...before, ...chosen.scopes])];
  const realmId = asksCompany(context, chosen.scopes) ? chosen.realmId : undefined;
  const code = randomBytes(24).toString('base64url');
  records.codes.put(code, {
    subject: person.subject,
    scopes: asked.addsGranted ? together : chosen.scopes,
    signedInAt: now,
    expiresAt: addMilliseconds(now, profile.codeSeconds * 1000),
    redirectUri: asked.redirectUri,
    isOffline: asked.isOffline,
    wasAsked: needsConsent(context, asked, person),
    isSpent: false,
    ...(asked.nonce === undefined ? {} : { nonce: asked.nonce }),
    ...(asked.codeChallenge === undefined ? {} : { codeChallenge: asked.codeChallenge }),
    ...(realmId === undefined ? {} : { realmId }),
  });
  records.consents.put(person.subject, together);
  return backTo(asked, { code, ...(realmId === undefined ? {} : { realmId }) });
}

function needsConsent({ records }: IdentityContext, { mustAsk, scopes }: AuthorizeRequest, { subject }: Person): boolean {
  const given = records.consents.get(subject);
  return mustAsk || given === undefined || scopes.some((scope) => !given.includes(scope));
}

function consentPage(
  context: IdentityContext,
  { url }: SimulatorCall,
  asked: AuthorizeRequest,
  person: Person,
  problem?: string,
): Response {
  const { profile, basePath } = context;
  const application = escapeHtml(context.applicationName ?? 'The application');
  const [action, other] = [CONSENT_PATH, SIGN_IN_PATH].map((path) => escapeHtml(`${basePath}${path}${url.search}`));
  const words = (scope: string) => escapeHtml(profile.scopes?.[scope] ?? scope);
  const fixed =
    profile.scopes === undefined
      ? ['see and change your accounts']
      : asked.scopes.filter((scope) => !isTickable(context, scope)).map(words);
  const tickable = asked.scopes
    .filter((scope) => isTickable(context, scope))
    .map(
      (scope) =>
        `<label class="choice"><input type="checkbox" name="scope" value="${escapeHtml(scope)}" checked><span>${words(scope)}</span></label>`,
    );
  const companies = (person.companies ?? []).map(
    ({ realmId, name }, index) =>
      `<label class="choice"><input type="radio" name="realm_id" value="${escapeHtml(realmId)}"${index === 0 ? ' checked' : ''}><span>${escapeHtml(name)}</span></label>`,
  );
  return page(
    profile,
    problem === undefined ? 200 : 400,
    `Allow ${context.applicationName ?? 'the application'}?`,
    `${errorBox(problem)}<p>You are signed in as <strong>${escapeHtml(person.fullName)}</strong>, ${escapeHtml(person.email)}. <a href="${other}">Use another account</a></p>
<p>${application} wants to:</p><ul>${[...new Set(fixed)].map((line) => `<li>${line}</li>`).join('')}</ul>
<form method="post" action="${action}">
${tickable.length > 0 ? `<fieldset><legend>Choose what else it may do</legend>${tickable.join('')}</fieldset>` : ''}
${asksCompany(context, asked.scopes) ? `<fieldset><legend>Company to connect</legend>${companies.join('')}</fieldset>` : ''}
<button type="submit" name="decision" value="grant">Allow</button>
<button type="submit" name="decision" value="deny" class="secondary">Cancel</button>
</form>`,
  );
}

function isTickable({ profile }: IdentityContext, scope: string): boolean {
  return profile.canUntick === true && !IDENTITY_SCOPES.has(scope);
}

function asksCompany({ profile }: IdentityContext, scopes: readonly string[]): boolean {
  return profile.companyScope !== undefined && scopes.includes(profile.companyScope);
}
