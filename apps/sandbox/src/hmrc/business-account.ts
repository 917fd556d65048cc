/** HMRC's page where a trader changes the bank account for VAT repayments. HMRC has no API for this. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readForm, searchParams } from '../simulator/request.ts';
import { escapeHtml, redirectSeeOther, renderErrorBox } from '../simulator/responses.ts';
import type { HmrcContext } from './hmrc-context.ts';
import type { BankAccount, TraderRecord, UserRecord } from './hmrc-records.ts';
import { sendPage } from './www-pages.ts';
import { buildSignInUrl, findSignedInUser, redirectToSignIn } from './www-sign-in.ts';

/** GET /business-account/repayment-account?vrn=.. */
export function showRepaymentAccount(context: HmrcContext, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const user = findSignedInUser(context, request);
  if (!user) return redirectToSignIn(context, request, reply);
  const trader = findOwnTrader(context, user, request);
  if (!trader) return rejectOtherBusiness(context, request, reply);
  const savedMessage = searchParams(request).has('saved')
    ? '<p role="status"><strong>Your bank account has been changed.</strong></p>'
    : '';
  return sendAccountPage(reply, 200, trader, savedMessage, {});
}

/** Handles a POST with the form fields sortCode, accountNumber and accountName. */
export function changeRepaymentAccount(context: HmrcContext, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const user = findSignedInUser(context, request);
  if (!user) return redirectToSignIn(context, request, reply);
  const trader = findOwnTrader(context, user, request);
  if (!trader) return rejectOtherBusiness(context, request, reply);
  const form = readForm(request);
  const submittedAccount = Object.fromEntries(form);
  const account: BankAccount = {
    sortCode: (form.get('sortCode') ?? '').replaceAll(/[ -]/g, ''),
    accountNumber: (form.get('accountNumber') ?? '').replaceAll(' ', ''),
    accountName: (form.get('accountName') ?? '').trim(),
  };
  const problem = findProblem(account);
  if (problem !== undefined) return sendAccountPage(reply, 400, trader, renderErrorBox(problem), submittedAccount);
  context.records.traders.put(trader.vrn, { ...trader, repaymentAccount: account });
  const sandboxUser = searchParams(request).get('sandbox_user') ?? form.get('sandbox_user');
  const query = new URLSearchParams({ vrn: trader.vrn, saved: '1', ...(sandboxUser === null ? {} : { sandbox_user: sandboxUser }) });
  return redirectSeeOther(reply, `${context.wwwUrl}/business-account/repayment-account?${query}`);
}

/** Returns the signed-in organisation's trader, or undefined if the URL contains another VAT number. */
function findOwnTrader(context: HmrcContext, user: UserRecord, request: FastifyRequest): TraderRecord | undefined {
  const requestedVrn = searchParams(request).get('vrn') ?? user.vrn;
  return requestedVrn !== undefined && requestedVrn === user.vrn ? context.records.traders.get(requestedVrn) : undefined;
}

function rejectOtherBusiness(context: HmrcContext, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const otherUserUrl = escapeHtml(buildSignInUrl(context, request));
  return sendPage(
    reply,
    403,
    'You can’t view this business',
    `<p>You’re signed in as a user who doesn’t manage this VAT registration. <a href="${otherUserUrl}">Sign in as another user</a></p>`,
  );
}

function findProblem({ sortCode, accountNumber, accountName }: BankAccount): string | undefined {
  if (!/^\d{6}$/.test(sortCode)) return 'Enter a 6-digit sort code.';
  if (!/^\d{8}$/.test(accountNumber)) return 'Enter an 8-digit account number.';
  if (accountName === '' || accountName.length > 60) return 'Enter the name on the account, using 60 characters or fewer.';
  return undefined;
}

function sendAccountPage(
  reply: FastifyReply,
  status: number,
  trader: TraderRecord,
  lead: string,
  submittedFields: Readonly<Record<string, string>>,
): FastifyReply {
  const currentAccount = trader.repaymentAccount;
  const renderField = (name: string, label: string, hint: string) =>
    `<label for="${name}">${label}</label><input id="${name}" name="${name}" value="${escapeHtml(submittedFields[name] ?? '')}" aria-describedby="${name}-hint" required><div id="${name}-hint">${hint}</div>`;
  const currentAccountHtml = currentAccount
    ? `<dl><dt>Name on the account</dt><dd>${escapeHtml(currentAccount.accountName)}</dd><dt>Sort code</dt><dd>${escapeHtml(currentAccount.sortCode)}</dd><dt>Account number</dt><dd>${escapeHtml(currentAccount.accountNumber)}</dd></dl>`
    : '<p>HMRC doesn’t have a bank account for you. It sends repayments by post as a payable order.</p>';
  return sendPage(
    reply,
    status,
    'Bank account for your VAT repayments',
    `${lead}<p>${escapeHtml(trader.organisationName)}, VAT number ${escapeHtml(trader.vrn)}</p>
<h2>Current account</h2>${currentAccountHtml}
<h2>Change your account</h2>
<form method="post">
${renderField('accountName', 'Name on the account', 'It must be in the name of the business.')}
${renderField('sortCode', 'Sort code', 'Must be 6 digits long')}
${renderField('accountNumber', 'Account number', 'Must be 8 digits long')}
<button type="submit">Save</button>
</form>`,
  );
}
