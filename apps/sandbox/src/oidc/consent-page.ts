/** Serves the consent page, and issues the authorisation code after the user's decision. */
import { randomBytes } from 'node:crypto';
import { addMilliseconds } from '@portal/domain/clock.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readForm, requestUrl, searchParams } from '../simulator/request.ts';
import { escapeHtml, redirectSeeOther, renderErrorBox } from '../simulator/responses.ts';
import { readAuthorizeRequest, sendBack, sendProblem, type AuthorizeRequest } from './authorize-request.ts';
import type { Person } from './identity-records.ts';
import { sendPage } from './pages.ts';
import { findPerson } from './people.ts';
import type { IdentityContext } from './provider-profile.ts';
import { CONSENT_PATH, findSignedInPerson, SIGN_IN_PATH } from './sign-in-page.ts';

/** Scopes that identify the user. They are granted together. */
const IDENTITY_SCOPES: ReadonlySet<string> = new Set(['openid', 'email', 'profile', 'phone', 'address', 'offline_access']);

/** Handles the authorisation endpoint. With `sandbox_user=EMAIL` (or subject), that user grants everything immediately. */
export function startAuthorize(context: IdentityContext, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const authorizeRequest = readAuthorizeRequest(context, request, reply);
  if (!authorizeRequest) return reply;
  const sandboxUser = searchParams(request).get('sandbox_user');
  if (sandboxUser === null) return toSignIn(context, request, reply);
  const person = findPerson(context.records, sandboxUser);
  if (!person) return sendProblem(context, reply, 'sandbox_user isn’t the email address or subject of an account here');
  return grant(context, reply, { authorizeRequest, person, scopes: authorizeRequest.scopes, realmId: person.companies?.[0]?.realmId });
}

/** Handles GET /sandbox/consent, which has the query of the authorisation endpoint. */
export function showConsent(context: IdentityContext, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const authorizeRequest = readAuthorizeRequest(context, request, reply);
  if (!authorizeRequest) return reply;
  const person = findSignedInPerson(context, request);
  if (!person) return toSignIn(context, request, reply);
  if (
    context.profile.isConsentRemembered &&
    !needsCompany(context, authorizeRequest.scopes) &&
    !needsConsent(context, authorizeRequest, person)
  ) {
    return grant(context, reply, { authorizeRequest, person, scopes: authorizeRequest.scopes });
  }
  return sendConsentPage(context, request, reply, { authorizeRequest, person });
}

/** Handles POST /sandbox/consent: `decision` is grant or deny, `scope` the selected scopes, `realm_id` the company. */
export function decideConsent(context: IdentityContext, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const authorizeRequest = readAuthorizeRequest(context, request, reply);
  if (!authorizeRequest) return reply;
  const person = findSignedInPerson(context, request);
  if (!person) return toSignIn(context, request, reply);
  const form = readForm(request);
  const decision = form.get('decision');
  if (decision === 'deny') return sendBack(reply, authorizeRequest, context.profile.deniedParameters);
  if (decision !== 'grant') return sendConsentPage(context, request, reply, { authorizeRequest, person });
  const tickedScopes = new Set(form.getAll('scope'));
  const scopes = authorizeRequest.scopes.filter((scope) => !isTickable(context, scope) || tickedScopes.has(scope));
  if (!needsCompany(context, scopes)) return grant(context, reply, { authorizeRequest, person, scopes });
  const realmId = form.get('realm_id') ?? '';
  const isOwn = person.companies?.some((company) => company.realmId === realmId) ?? false;
  return isOwn
    ? grant(context, reply, { authorizeRequest, person, scopes, realmId })
    : sendConsentPage(context, request, reply, { authorizeRequest, person, problem: 'Choose a company to connect.' });
}

function toSignIn({ basePath }: IdentityContext, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return redirectSeeOther(reply, `${basePath}${SIGN_IN_PATH}${requestUrl(request).search}`);
}

type ConsentDecision = {
  readonly authorizeRequest: AuthorizeRequest;
  readonly person: Person;
  readonly scopes: readonly string[];
  readonly realmId?: string | undefined;
};

function grant(context: IdentityContext, reply: FastifyReply, { authorizeRequest, person, ...decision }: ConsentDecision): FastifyReply {
  const { records, profile, clock } = context;
  const now = clock.now();
  const earlierScopes = records.consents.get(person.subject) ?? [];
  const allScopes = [...new Set([...earlierScopes, ...decision.scopes])];
  const realmId = needsCompany(context, decision.scopes) ? decision.realmId : undefined;
  const code = randomBytes(24).toString('base64url');
  records.codes.put(code, {
    subject: person.subject,
    scopes: authorizeRequest.includesGranted ? allScopes : decision.scopes,
    signedInAt: now,
    expiresAt: addMilliseconds(now, profile.codeSeconds * 1000),
    redirectUri: authorizeRequest.redirectUri,
    isOffline: authorizeRequest.isOffline,
    consentShown: needsConsent(context, authorizeRequest, person),
    isUsed: false,
    ...(authorizeRequest.nonce === undefined ? {} : { nonce: authorizeRequest.nonce }),
    ...(authorizeRequest.codeChallenge === undefined ? {} : { codeChallenge: authorizeRequest.codeChallenge }),
    ...(realmId === undefined ? {} : { realmId }),
  });
  records.consents.put(person.subject, allScopes);
  profile.onGrant?.(context, person, decision.scopes);
  return sendBack(reply, authorizeRequest, { code, ...(realmId === undefined ? {} : { realmId }) });
}

function needsConsent({ records }: IdentityContext, { isConsentForced, scopes }: AuthorizeRequest, { subject }: Person): boolean {
  const consentedScopes = records.consents.get(subject);
  return isConsentForced || consentedScopes === undefined || scopes.some((scope) => !consentedScopes.includes(scope));
}

function sendConsentPage(
  context: IdentityContext,
  request: FastifyRequest,
  reply: FastifyReply,
  {
    authorizeRequest,
    person,
    problem,
  }: { readonly authorizeRequest: AuthorizeRequest; readonly person: Person; readonly problem?: string },
): FastifyReply {
  const { profile, basePath } = context;
  const { search } = requestUrl(request);
  const application = escapeHtml(context.applicationName ?? 'The application');
  const [action, otherAccountPath] = [CONSENT_PATH, SIGN_IN_PATH].map((path) => escapeHtml(`${basePath}${path}${search}`));
  const describeScope = (scope: string) => escapeHtml(profile.scopes?.[scope] ?? scope);
  const fixedScopes =
    profile.scopes === undefined
      ? ['see and change your accounts']
      : authorizeRequest.scopes.filter((scope) => !isTickable(context, scope)).map(describeScope);
  const tickableInputs = authorizeRequest.scopes
    .filter((scope) => isTickable(context, scope))
    .map(
      (scope) =>
        `<label class="choice"><input type="checkbox" name="scope" value="${escapeHtml(scope)}" checked><span>${describeScope(scope)}</span></label>`,
    );
  const companies = (person.companies ?? []).map(
    ({ realmId, name }, index) =>
      `<label class="choice"><input type="radio" name="realm_id" value="${escapeHtml(realmId)}"${index === 0 ? ' checked' : ''}><span>${escapeHtml(name)}</span></label>`,
  );
  return sendPage(reply, profile, {
    status: problem === undefined ? 200 : 400,
    title: `Allow ${context.applicationName ?? 'the application'}?`,
    main: `${renderErrorBox(problem)}<p>You’re signed in as <strong>${escapeHtml(person.fullName)}</strong>, ${escapeHtml(person.email)}. <a href="${otherAccountPath}">Use another account</a></p>
<p>${application} wants to:</p><ul>${[...new Set(fixedScopes)].map((line) => `<li>${line}</li>`).join('')}</ul>
<form method="post" action="${action}">
${tickableInputs.length > 0 ? `<fieldset><legend>Choose what else it may do</legend>${tickableInputs.join('')}</fieldset>` : ''}
${needsCompany(context, authorizeRequest.scopes) ? `<fieldset><legend>Company to connect</legend>${companies.join('')}</fieldset>` : ''}
<button type="submit" name="decision" value="grant">Allow</button>
<button type="submit" name="decision" value="deny" class="secondary">Cancel</button>
</form>`,
  });
}

function isTickable({ profile }: IdentityContext, scope: string): boolean {
  return profile.canUntick === true && !IDENTITY_SCOPES.has(scope);
}

function needsCompany({ profile }: IdentityContext, scopes: readonly string[]): boolean {
  return profile.companyScope !== undefined && scopes.includes(profile.companyScope);
}
