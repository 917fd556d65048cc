/** HMRC's page where a client accepts or rejects an agent, at `clientActionUrl`. Only the client can respond, after signing in. */
import type { FastifyReply } from 'fastify';
import { AppError } from '@portal/domain/app-error.ts';
import { toLondonDate } from '@portal/domain/clock.ts';
import { addDays, formatDate } from '@portal/domain/plain-date.ts';
import { readForm, requestUrl } from '../simulator/request.ts';
import { escapeHtml, redirectSeeOther, renderErrorBox } from '../simulator/responses.ts';
import type { HmrcRequest } from '../hmrc/gateway.ts';
import type { HmrcContext } from '../hmrc/hmrc-context.ts';
import type { UserRecord } from '../hmrc/hmrc-records.ts';
import { sendPage } from '../hmrc/www-pages.ts';
import { findSignedInUser, redirectToSignIn } from '../hmrc/www-sign-in.ts';
import { getClientUserId } from '../portfolio/hmrc-underlay.ts';
import { findLoadedPortfolio } from '../portfolio/loaded-portfolio.ts';
import { answerInvitation, findArn, findInvitation, INVITATION_DAYS, canActFor, getInvitationStatus } from './agent-authority.ts';
import type { InvitationRecord } from './agent-records.ts';

export const APPOINT_PATH = '/appoint-someone-to-deal-with-HMRC-for-you/:invitationId/:agentName/:tax';

const TAX_LABELS = { 'MTD-VAT': 'VAT', 'MTD-IT': 'Income Tax' } as const;

export function showAppointment(context: HmrcContext, request: HmrcRequest, reply: FastifyReply, problem?: string): FastifyReply {
  const invitation = findInvitation(context, request.params['invitationId'] ?? '');
  if (!invitation) return sendPage(reply, 404, 'We can’t find this request', '<p>Ask your agent for a new link.</p>');
  const agent =
    context.records.users.list().find(({ document }) => findArn(document) === invitation.arn)?.document.fullName ?? invitation.arn;
  const tax = TAX_LABELS[invitation.service];
  const status = getInvitationStatus(context, invitation);
  if (status !== 'Pending') return sendClosedPage(reply, agent, tax, status);
  const user = findSignedInUser(context, request);
  const signInPage = { context, request, reply, invitation, agent, tax };
  if (!user) return sendSignInPage(signInPage);
  if (user.kind === 'agent' || !canActFor(context, user, invitation.service, invitation.clientId)) {
    return sendSignInPage(signInPage, 'You’re signed in as someone else. Only the client can respond.');
  }
  const lastDay = formatDate(addDays(toLondonDate(invitation.createdAt), INVITATION_DAYS - 1));
  return sendPage(
    reply,
    problem === undefined ? 200 : 400,
    `Do you want ${agent} to deal with your ${tax}?`,
    `${renderErrorBox(problem)}<p>You’re signed in as <strong>${escapeHtml(user.fullName)}</strong> (${escapeHtml(invitation.clientId)}).</p>
<p>${escapeHtml(agent)} will be able to see your ${tax} records at HMRC and send returns for you. You can respond until ${escapeHtml(lastDay)}, and you can withdraw your authorisation at any time.</p>
<form method="post">
<button type="submit" name="decision" value="accept">Accept</button>
<button type="submit" name="decision" value="reject" class="secondary">Decline</button>
</form>`,
  );
}

export function decideAppointment(context: HmrcContext, request: HmrcRequest, reply: FastifyReply): FastifyReply {
  const invitation = findInvitation(context, request.params['invitationId'] ?? '');
  const user = findSignedInUser(context, request);
  const isClient = invitation && user?.kind !== 'agent' && canActFor(context, user, invitation.service, invitation.clientId);
  if (!isClient) return showAppointment(context, request, reply);
  const decision = readForm(request).get('decision');
  if (decision !== 'accept' && decision !== 'reject')
    return showAppointment(context, request, reply, 'Choose whether to accept or decline.');
  try {
    answerInvitation(context, invitation.invitationId, decision);
  } catch (error) {
    // The request was answered or expired after the page was opened, so the page says so.
    if (!(error instanceof AppError)) throw error;
  }
  const { pathname, search } = requestUrl(request);
  return redirectSeeOther(reply, pathname + search);
}

function sendClosedPage(reply: FastifyReply, agent: string, tax: string, status: string): FastifyReply {
  const sentences: Readonly<Record<string, string>> = {
    Accepted: `${agent} can now deal with your ${tax}.`,
    Rejected: `You declined the request. ${agent} can’t deal with your ${tax}.`,
    Expired: `The request from ${agent} has expired. Ask for a new link if you still want them to deal with your ${tax}.`,
    Cancelled: `${agent} has cancelled this request.`,
    Deauthorised: `${agent} no longer deals with your ${tax}.`,
  };
  return sendPage(reply, 200, `Your response to ${agent}`, `<p role="status">${escapeHtml(sentences[status] ?? '')}</p>`);
}

type SignInPage = {
  readonly context: HmrcContext;
  readonly request: HmrcRequest;
  readonly reply: FastifyReply;
  readonly invitation: InvitationRecord;
  readonly agent: string;
  readonly tax: string;
};

/** The real page requires the client's Government Gateway sign-in; here one button replaces it. */
function sendSignInPage({ context, request, reply, invitation, agent, tax }: SignInPage, problem?: string): FastifyReply {
  const user = findClient(context, invitation);
  if (!user) return redirectToSignIn(context, request, reply);
  const action = `${context.wwwUrl}/sign-in?continue=${encodeURIComponent(requestUrl(request).pathname)}`;
  return sendPage(
    reply,
    200,
    `${agent} wants to deal with your ${tax}`,
    `${renderErrorBox(problem)}<p>Sign in as the client to respond.</p>
<form method="post" action="${escapeHtml(action)}"><input type="hidden" name="chosenUserId" value="${escapeHtml(user.userId)}">
<button type="submit">Sign in as ${escapeHtml(user.fullName)}</button></form>`,
  );
}

/** Returns the client's sign-in: a test user's or a portfolio client's. */
function findClient(context: HmrcContext, { service, clientId }: InvitationRecord): UserRecord | undefined {
  const portfolio = findLoadedPortfolio(context.store);
  const portfolioClient = service === 'MTD-VAT' ? portfolio?.byVrn.get(clientId) : portfolio?.byNino.get(clientId);
  if (portfolioClient) return context.records.users.get(getClientUserId(portfolioClient));
  const users = context.records.users.list().map(({ document }) => document);
  return users.find((user) => user.kind !== 'agent' && canActFor(context, user, service, clientId));
}
