/** Signs a user in to HMRC: by user ID and password, or by choosing a test user. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readForm, requestUrl, searchParams } from '../simulator/request.ts';
import { escapeHtml, redirectSeeOther, renderErrorBox } from '../simulator/responses.ts';
import { findArn } from '../hmrc-agent/agent-authority.ts';
import type { HmrcContext } from './hmrc-context.ts';
import type { UserRecord } from './hmrc-records.ts';
import { generateToken } from './oauth-tokens.ts';
import { sendPage } from './www-pages.ts';

const COOKIE_NAME = 'hmrc_sandbox_session';
const MAX_LISTED_USERS = 20;

/** Returns this browser's signed-in user, or the user named by `sandbox_user` (for tests and scripts without a browser). */
export function findSignedInUser(context: HmrcContext, request: FastifyRequest): UserRecord | undefined {
  const sandboxUser = searchParams(request).get('sandbox_user') ?? readForm(request).get('sandbox_user');
  if (sandboxUser !== null) return context.records.users.get(sandboxUser);
  const session = readCookie(request.headers.cookie ?? '');
  const userId = session === undefined ? undefined : context.records.sessions.get(session);
  return userId === undefined ? undefined : context.records.users.get(userId);
}

/** GET /sign-in?continue=PATH */
export function showSignIn(context: HmrcContext, request: FastifyRequest, reply: FastifyReply, problem?: string): FastifyReply {
  const target = getContinueTarget(context, request);
  const action = `${context.wwwUrl}/sign-in?continue=${encodeURIComponent(target)}`;
  const organisations = context.records.users
    .list()
    .map(({ document }) => document)
    .filter((user) => (user.kind === 'organisation' && user.vrn !== undefined) || findArn(user) !== undefined)
    .slice(-MAX_LISTED_USERS);
  const choices = organisations.map((user) => `<li>${renderUserButton(context, user, action)}</li>`).join('\n');
  return sendPage(
    reply,
    problem === undefined ? 200 : 400,
    'Sign in using Government Gateway',
    `${renderErrorBox(problem)}
<form method="post" action="${escapeHtml(action)}">
<label for="userId">Government Gateway user ID</label><input id="userId" name="userId" autocomplete="off">
<label for="password">Password</label><input id="password" name="password" type="password" autocomplete="off">
<button type="submit">Sign in</button>
</form>
${choices === '' ? '' : `<h2>Or choose a test user</h2><ul class="users">${choices}</ul>`}`,
  );
}

/** POST /sign-in */
export function signIn(context: HmrcContext, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const form = readForm(request);
  const pickedUserId = form.get('chosenUserId');
  const user = context.records.users.get(pickedUserId ?? form.get('userId')?.replaceAll(' ', '') ?? '');
  const isValid = user && (pickedUserId !== null || user.password === form.get('password'));
  if (!isValid) return showSignIn(context, request, reply, 'The user ID or password is wrong.');
  const session = generateToken();
  context.records.sessions.put(session, user.userId);
  return redirectSeeOther(reply, getContinueTarget(context, request), {
    'set-cookie': `${COOKIE_NAME}=${session}; Path=${getBasePath(context)}; HttpOnly; SameSite=Lax`,
  });
}

/** Redirects to the sign-in page, which returns the browser to this URL. */
export function redirectToSignIn(context: HmrcContext, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return redirectSeeOther(reply, buildSignInUrl(context, request));
}

/** Returns the URL of the sign-in page, which returns the browser to this request's URL. */
export function buildSignInUrl(context: HmrcContext, request: FastifyRequest): string {
  const { pathname, search } = requestUrl(request);
  return `${context.wwwUrl}/sign-in?continue=${encodeURIComponent(pathname + search)}`;
}

function getBasePath(context: HmrcContext): string {
  return new URL(context.wwwUrl).pathname;
}

/** Allows only the simulator's own pages as targets. */
function getContinueTarget(context: HmrcContext, request: FastifyRequest): string {
  const target = searchParams(request).get('continue') ?? '';
  return target.startsWith(`${getBasePath(context)}/`) ? target : `${getBasePath(context)}/business-account/repayment-account`;
}

function renderUserButton(context: HmrcContext, user: UserRecord, action: string): string {
  const name = context.records.traders.get(user.vrn ?? '')?.organisationName ?? user.fullName;
  return `<form method="post" action="${escapeHtml(action)}"><input type="hidden" name="chosenUserId" value="${escapeHtml(user.userId)}">
<button type="submit" class="secondary">${escapeHtml(name)} (${escapeHtml(user.vrn === undefined ? `agent ${findArn(user) ?? ''}` : `VAT ${user.vrn}`)}, user ${escapeHtml(user.userId)})</button></form>`;
}

function readCookie(header: string): string | undefined {
  const pair = header.split(/; */).find((part) => part.startsWith(`${COOKIE_NAME}=`));
  return pair?.slice(COOKIE_NAME.length + 1);
}
