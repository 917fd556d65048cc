/** Sign-in page, where the user chooses an existing account or enters another one. */
import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readForm, requestUrl } from '../simulator/request.ts';
import { escapeHtml, redirectSeeOther, renderErrorBox } from '../simulator/responses.ts';
import { readAuthorizeRequest, type AuthorizeRequest } from './authorize-request.ts';
import type { Person } from './identity-records.ts';
import { sendPage } from './pages.ts';
import { seedPerson } from './people.ts';
import type { IdentityContext } from './provider-profile.ts';

export const SIGN_IN_PATH = '/sandbox/sign-in';
export const CONSENT_PATH = '/sandbox/consent';

/** Limits the number of accounts on the page. */
const MAX_LISTED_PEOPLE = 20;

const EMAIL_PATTERN = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Handles GET /sandbox/sign-in, which has the query of the authorisation endpoint. */
export function showSignIn(context: IdentityContext, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const authorizeRequest = readAuthorizeRequest(context, request, reply);
  return authorizeRequest ? sendSignInPage(context, request, reply, { authorizeRequest }) : reply;
}

/** POST /sandbox/sign-in: by `subject`, or by `email` and `full_name`. */
export function signIn(context: IdentityContext, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const authorizeRequest = readAuthorizeRequest(context, request, reply);
  if (!authorizeRequest) return reply;
  const form = readForm(request);
  const showSignInError = (problem: string, shownParams?: URLSearchParams) =>
    sendSignInPage(context, request, reply, { authorizeRequest, problem, ...(shownParams ? { form: shownParams } : {}) });
  const subject = form.get('subject');
  if (subject !== null) {
    const chosenPerson = context.records.people.get(subject);
    return chosenPerson ? sendSignedInResponse(context, request, reply, chosenPerson) : showSignInError('This account no longer exists.');
  }
  const [email, fullName] = [(form.get('email') ?? '').trim(), (form.get('full_name') ?? '').trim()];
  if (!EMAIL_PATTERN.test(email)) return showSignInError('Enter an email address in the correct format, like name@example.com.', form);
  if (fullName === '') return showSignInError('Enter your full name.', form);
  const person = seedPerson(context.profile, context.records, { email, fullName, emailVerified: form.get('email_verified') === 'yes' });
  return sendSignedInResponse(context, request, reply, person);
}

/** Returns this browser's signed-in user. */
export function findSignedInPerson({ records, profile }: IdentityContext, request: FastifyRequest): Person | undefined {
  const name = `${getCookieName(profile.provider)}=`;
  const pair = (request.headers.cookie ?? '').split(/; */).find((part) => part.startsWith(name));
  const subject = pair === undefined ? undefined : records.sessions.get(pair.slice(name.length));
  return subject === undefined ? undefined : records.people.get(subject);
}

function sendSignedInResponse(
  { records, profile, basePath }: IdentityContext,
  request: FastifyRequest,
  reply: FastifyReply,
  person: Person,
): FastifyReply {
  const session = randomBytes(16).toString('hex');
  records.sessions.put(session, person.subject);
  return redirectSeeOther(reply, `${basePath}${CONSENT_PATH}${requestUrl(request).search}`, {
    'set-cookie': `${getCookieName(profile.provider)}=${session}; Path=${basePath || '/'}; HttpOnly; SameSite=Lax`,
  });
}

function sendSignInPage(
  context: IdentityContext,
  request: FastifyRequest,
  reply: FastifyReply,
  {
    authorizeRequest,
    problem,
    form = new URLSearchParams(),
  }: { authorizeRequest: AuthorizeRequest; problem?: string; form?: URLSearchParams },
): FastifyReply {
  const { profile, records, basePath, applicationName } = context;
  const action = escapeHtml(`${basePath}${SIGN_IN_PATH}${requestUrl(request).search}`);
  const getHintRank = ({ email }: Person) => Number(email.toLowerCase() === authorizeRequest.loginHint.toLowerCase());
  const people = records.people
    .list()
    .map(({ document }) => document)
    .reverse()
    .sort((a, b) => getHintRank(b) - getHintRank(a))
    .slice(0, MAX_LISTED_PEOPLE);
  const choices = people.map(
    (person) => `<li><form method="post" action="${action}"><input type="hidden" name="subject" value="${escapeHtml(person.subject)}">
<button type="submit" class="secondary">${escapeHtml(person.fullName)}<span>${escapeHtml(person.email)}${person.emailVerified ? '' : ' (email not verified)'}</span></button></form></li>`,
  );
  const hint = people.some((person) => getHintRank(person) === 1) ? '' : authorizeRequest.loginHint;
  return sendPage(reply, profile, {
    status: problem === undefined ? 200 : 400,
    title: people.length > 0 ? 'Choose an account' : 'Sign in',
    main: `${renderErrorBox(problem)}<p>to continue to ${escapeHtml(applicationName ?? 'the application')}</p>
${choices.length > 0 ? `<ul class="people">${choices.join('\n')}</ul><h2>Use another account</h2>` : ''}
<form method="post" action="${action}" novalidate>
<label for="email">Email</label><input id="email" name="email" type="email" autocomplete="off" required value="${escapeHtml(form.get('email') ?? hint)}">
<label for="full_name">Full name</label><input id="full_name" name="full_name" autocomplete="off" required value="${escapeHtml(form.get('full_name') ?? '')}">
<label class="choice"><input type="checkbox" name="email_verified" value="yes" checked><span>${escapeHtml(profile.brand)} has verified this email address</span></label>
<button type="submit">Continue</button>
</form>`,
  });
}

function getCookieName(provider: string): string {
  return `${provider}_sandbox_session`;
}
