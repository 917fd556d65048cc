/** HMRC's own service in which a trader changes the bank account that VAT repayments go to; no API of HMRC's does that. */
import type { SimulatorCall } from '../simulator/simulator.ts';
import { escapeHtml } from '../simulator/responses.ts';
import type { HmrcContext } from './hmrc-context.ts';
import type { BankAccount, TraderRecord } from './hmrc-records.ts';
import { errorBox, page, seeOther } from './www-pages.ts';
import { askToSignIn, signedInUser } from './www-sign-in.ts';

/** GET /business-account/repayment-account?vrn=.. */
export function showRepaymentAccount(context: HmrcContext, call: SimulatorCall): Response {
  const trader = ownTrader(context, call);
  if (trader instanceof Response) return trader;
  const saved = call.url.searchParams.has('saved') ? '<p role="status"><strong>Your bank account has been changed.</strong></p>' : '';
  return accountPage(200, trader, saved, {});
}

/** POST with the form fields sortCode, accountNumber, accountName. */
export function changeRepaymentAccount(context: HmrcContext, call: SimulatorCall): Response {
  const trader = ownTrader(context, call);
  if (trader instanceof Response) return trader;
  const form = new URLSearchParams(call.bodyText);
  const typed = Object.fromEntries(form);
  const account: BankAccount = {
    sortCode: (form.get('sortCode') ?? '').replaceAll(/[ -]/g, ''),
    accountNumber: (form.get('accountNumber') ?? '').replaceAll(' ', ''),
    accountName: (form.get('accountName') ?? '').trim(),
  };
  const problem = findProblem(account);
  if (problem !== undefined) return accountPage(400, trader, errorBox(problem), typed);
  context.records.traders.put(trader.vrn, { ...trader, repaymentAccount: account });
  const sandboxUser = call.url.searchParams.get('sandbox_user') ?? form.get('sandbox_user');
  const query = new URLSearchParams({ vrn: trader.vrn, saved: '1', ...(sandboxUser === null ? {} : { sandbox_user: sandboxUser }) });
  return seeOther(`${context.wwwUrl}/business-account/repayment-account?${query}`);
}

/** The trader of the signed-in organisation; another's VAT number in the address is refused. */
function ownTrader(context: HmrcContext, call: SimulatorCall): TraderRecord | Response {
  const user = signedInUser(context, call);
  if (!user) return askToSignIn(context, call);
  const wanted = call.url.searchParams.get('vrn') ?? user.vrn;
  const trader = wanted !== undefined && wanted === user.vrn ? context.records.traders.get(wanted) : undefined;
  if (trader) return trader;
  const other = escapeHtml(`${context.wwwUrl}/sign-in?continue=${encodeURIComponent(call.url.pathname + call.url.search)}`);
  return page(
    403,
    'You cannot see this business',
    `<p>You are signed in as a user who does not manage this VAT registration. <a href="${other}">Sign in as another user</a></p>`,
  );
}

function findProblem({ sortCode, accountNumber, accountName }: BankAccount): string | undefined {
  if (!/^\d{6}$/.test(sortCode)) return 'Enter a sort code of 6 digits.';
  if (!/^\d{8}$/.test(accountNumber)) return 'Enter an account number of 8 digits.';
  if (accountName === '' || accountName.length > 60) return 'Enter the name on the account, at most 60 characters.';
  return undefined;
}

function accountPage(status: number, trader: TraderRecord, lead: string, typed: Readonly<Record<string, string>>): Response {
  const held = trader.repaymentAccount;
  const field = (name: string, label: string, hint: string) =>
    `<label for="${name}">${label}</label><input id="${name}" name="${name}" value="${escapeHtml(typed[name] ?? '')}" aria-describedby="${name}-hint" required><div id="${name}-hint">${hint}</div>`;
  const holding = held
    ? `<dl><dt>Name on the account</dt><dd>${escapeHtml(held.accountName)}</dd><dt>Sort code</dt><dd>${escapeHtml(held.sortCode)}</dd><dt>Account number</dt><dd>${escapeHtml(held.accountNumber)}</dd></dl>`
    : '<p>HMRC holds no bank account: repayments come as a payable order by post.</p>';
  return page(
    status,
    'Where HMRC pays your VAT repayments',
    `${lead}<p>${escapeHtml(trader.organisationName)}, VAT number ${escapeHtml(trader.vrn)}</p>
<h2>Account held now</h2>${holding}
<h2>Change it</h2>
<form method="post">
${field('accountName', 'Name on the account', 'It must be in the name of the business.')}
${field('sortCode', 'Sort code', 'Must be 6 digits long')}
${field('accountNumber', 'Account number', 'Must be 8 digits long')}
<button type="submit">Save</button>
</form>`,
  );
}
