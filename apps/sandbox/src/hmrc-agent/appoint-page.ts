/** HMRC's page on which a client accepts or refuses an agent: where `clientActionUrl` leads. Only the client's own sign-in can answer. */
import { AppError } from '@portal/domain/app-error.ts';
import { londonDate } from '@portal/domain/clock.ts';
import { addDays, formatDate } from '@portal/domain/plain-date.ts';
import type { SimulatorCall } from '../simulator/simulator.ts';
import { escapeHtml } from '../simulator/responses.ts';
import type { HmrcContext } from '../hmrc/hmrc-context.ts';
import type { UserRecord } from '../hmrc/hmrc-records.ts';
import { errorBox, page, seeOther } from '../hmrc/www-pages.ts';
import { askToSignIn, signedInUser } from '../hmrc/www-sign-in.ts';
import { clientUserId } from '../portfolio/hmrc-underlay.ts';
import { loadedPortfolio } from '../portfolio/loaded-portfolio.ts';
import { answerInvitation, arnOf, findInvitation, INVITATION_DAYS, mayActFor, statusToday } from './agent-authority.ts';
import type { InvitationRecord } from './agent-records.ts';

export const APPOINT_PATH = '/appoint-someone-to-deal-with-HMRC-for-you/:invitationId/:agentName/:tax';

const TAX_WORDS = { 'MTD-VAT': 'VAT', 'MTD-IT': 'Income Tax' } as const;

export function showAppointment(context: HmrcContext, call: SimulatorCall, problem?: string): Response {
  const invitation = findInvitation(context, call.params['invitationId'] ?? '');
  if (!invitation) return page(404, 'This request cannot be found', '<p>Ask your agent for a new link.</p>');
  const agent =
    context.records.users.list().find(({ document }) => arnOf(document) === invitation.arn)?.document.fullName ?? invitation.arn;
  const tax = TAX_WORDS[invitation.service];
  const status = statusToday(context, invitation);
  if (status !== 'Pending') return closedPage(agent, tax, status);
  const user = signedInUser(context, call);
  if (!user) return client(context, invitation) ? signInPage(context, call, invitation, agent, tax) : askToSignIn(context, call);
  if (user.kind === 'agent' || !mayActFor(context, user, invitation.service, invitation.clientId)) {
    return signInPage(context, call, invitation, agent, tax, 'You are signed in as somebody else. Only the client can answer.');
  }
  const lastDay = formatDate(addDays(londonDate(invitation.createdAt), INVITATION_DAYS - 1));
  return page(
    problem === undefined ? 200 : 400,
    `Do you want ${agent} to deal with your ${tax}?`,
    `${errorBox(problem)}<p>You are signed in as <strong>${escapeHtml(user.fullName)}</strong> (${escapeHtml(invitation.clientId)}).</p>
<p>${escapeHtml(agent)} could then see your ${tax} records at HMRC and send returns for you. You can answer until ${escapeHtml(lastDay)} and can end the authority at any time.</p>
<form method="post">
<button type="submit" name="decision" value="accept">Accept</button>
<button type="submit" name="decision" value="reject" class="secondary">Refuse</button>
</form>`,
  );
}

export function decideAppointment(context: HmrcContext, call: SimulatorCall): Response {
  const invitation = findInvitation(context, call.params['invitationId'] ?? '');
  const user = signedInUser(context, call);
  const isClient = invitation && user?.kind !== 'agent' && mayActFor(context, user, invitation.service, invitation.clientId);
  if (!isClient) return showAppointment(context, call);
  const decision = new URLSearchParams(call.bodyText).get('decision');
  if (decision !== 'accept' && decision !== 'reject') return showAppointment(context, call, 'Choose an answer.');
  try {
    answerInvitation(context, invitation.invitationId, decision);
  } catch (error) {
    // Answered or run out since the page was opened: the page says so.
    if (!(error instanceof AppError)) throw error;
  }
  return seeOther(call.url.pathname + call.url.search);
}

function closedPage(agent: string, tax: string, status: string): Response {
  const sentences: Readonly<Record<string, string>> = {
    Accepted: `${agent} can now deal with your ${tax}.`,
    Rejected: `You have refused: ${agent} cannot deal with your ${tax}.`,
    Expired: `The request of ${agent} has expired. Ask for a new link if you still want them to deal with your ${tax}.`,
    Cancelled: `${agent} has cancelled this request.`,
    Deauthorised: `${agent} no longer deals with your ${tax}.`,
  };
  return page(200, `Your answer to ${agent}`, `<p role="status">${escapeHtml(sentences[status] ?? '')}</p>`);
}

/** The real page asks for the client's Government Gateway sign-in; here it is one button away. */
function signInPage(
  context: HmrcContext,
  call: SimulatorCall,
  invitation: InvitationRecord,
  agent: string,
  tax: string,
  problem?: string,
): Response {
  const user = client(context, invitation);
  if (!user) return askToSignIn(context, call);
  const action = `${context.wwwUrl}/sign-in?continue=${encodeURIComponent(call.url.pathname)}`;
  return page(
    200,
    `${agent} wants to deal with your ${tax}`,
    `${errorBox(problem)}<p>Sign in as the client to answer.</p>
<form method="post" action="${escapeHtml(action)}"><input type="hidden" name="chosenUserId" value="${escapeHtml(user.userId)}">
<button type="submit">Sign in as ${escapeHtml(user.fullName)}</button></form>`,
  );
}

/** The client's own sign-in: a test user's, or that of a portfolio's client. */
function client(context: HmrcContext, { service, clientId }: InvitationRecord): UserRecord | undefined {
  const portfolio = loadedPortfolio(context.store);
  const known = service === 'MTD-VAT' ? portfolio?.byVrn.get(clientId) : portfolio?.byNino.get(clientId);
  if (known) return context.records.users.get(clientUserId(known));
  const users = context.records.users.list().map(({ document }) => document);
  return users.find((user) => user.kind !== 'agent' && mayActFor(context, user, service, clientId));
}
