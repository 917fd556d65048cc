/** Control page for the HMRC simulator. */
import { formatDate } from '@portal/domain/plain-date.ts';
import { HMRC_SITUATIONS, type FiledReturnsView, type HmrcControls, type OrganisationView } from './hmrc-controls.ts';
import { REPAYMENT_STAGES, type RepaymentRecord } from './hmrc-records.ts';
import { h, type Markup } from '../control/markup.ts';
import { renderChoice, renderTable } from '../control/page.ts';
import { formatAccount, formatPenceAsPounds, formatTime } from '../control/format.ts';

export const HMRC_PAGE = '/control/hmrc';

const SITUATION_LABELS: Readonly<Record<(typeof HMRC_SITUATIONS)[number], string>> = {
  normal: 'Normal: no delay to repayments',
  overdue_return: 'An earlier return is overdue',
  query: 'HMRC queries the claim',
  adjustment: 'HMRC adjusts the claim',
  set_off: 'HMRC sets a debt off against the claim',
  suspended: 'The repayment is suspended for a missing return',
  insolvent: 'The trader is insolvent',
  debt: 'The trader owes HMRC a debt',
};

export async function renderHmrcControlPage(hmrc: HmrcControls): Promise<Markup> {
  const organisations = await hmrc.listOrganisations();
  const repayments = hmrc.listRepayments().reverse();
  const returns = organisations.flatMap(({ vrn }) => hmrc.listReturns(vrn));
  const calls = hmrc.listCalls(15);
  const isAutomatic = hmrc.isAutomaticRepayments();
  return h`<p class="lead">Test organisations of the HMRC simulator. Use one of the user IDs and passwords below on its sign-in page.</p>
${returns.some(({ timesAccepted }) => timesAccepted > 1) && h`<p class="warn"><strong>Filed twice?</strong> A return was accepted more than once.</p>`}
${renderTable('Repayment claims', ['Trader', { amount: 'Claimed' }, 'Stage', 'Paid', 'Action'], repayments.map(renderRepaymentRow), 'No claims yet. One appears when a trader files a return that ends in a refund.')}
<form class="row" method="post" action="${HMRC_PAGE}/automatic-repayments"><input type="hidden" name="on" value="${isAutomatic ? 'false' : 'true'}"><p>${isAutomatic ? 'Claims move with the clock: they’re approved after 5 days and paid 3 working days later.' : 'Claims wait until you move them here.'}</p><p><button class="plain">${isAutomatic ? 'Stop moving claims automatically' : 'Move claims with the clock'}</button></p></form>
<h2 id="organisations">Organisations</h2>
<form class="row" method="post" action="${HMRC_PAGE}/organisations"><p>To sign up as a new trader, create a company with a VAT number, four filed returns and one that’s due.</p><p><button class="plain">Create a test organisation</button></p></form>
<div class="cards">${organisations.map(renderOrganisationCard)}</div>
${renderTable('Returns filed through the API', ['Trader', 'Period key', { amount: 'Box 5' }, 'Accepted', { amount: 'Times' }], returns.map(renderReturnRow), 'None yet.')}
${renderTable(
  'Last calls',
  ['At', 'Call', 'Status', 'Fraud prevention headers'],
  calls.map(
    (call) =>
      h`<tr><td class="short">${formatTime(call.at)}</td><td><code>${call.method} ${call.path}</code></td><td>${call.status}</td><td class="short">${summariseValidation(call.fraudGrade)}</td></tr>`,
  ),
  'None yet.',
)}`;
}

function summariseValidation({ errors, warnings }: { errors: readonly unknown[]; warnings: readonly unknown[] }): string {
  if (errors.length > 0) return `${errors.length} ${errors.length === 1 ? 'error' : 'errors'}`;
  return warnings.length > 0 ? `${warnings.length} ${warnings.length === 1 ? 'warning' : 'warnings'}` : 'valid';
}

function renderRepaymentRow({ vrn, periodKey, claimedPence, stage, stages, paid }: RepaymentRecord): Markup {
  const id = `${vrn}-${periodKey.replaceAll(/\W/g, '')}`;
  const since = stages.at(-1)?.on;
  const form = h`<form method="post" action="${HMRC_PAGE}/repayments/move"><input type="hidden" name="vrn" value="${vrn}"><input type="hidden" name="period_key" value="${periodKey}">
<label class="sr" for="stage-${id}">Next stage</label><select id="stage-${id}" name="stage">${REPAYMENT_STAGES.map((name) => h`<option${name === stage && h` selected`}>${name}</option>`)}</select>
<label class="sr" for="amount-${id}">HMRC’s own figure in pounds, if it adjusts the claim</label><input id="amount-${id}" name="amount" placeholder="HMRC’s figure, £"><button class="plain">Move</button></form>`;
  return h`<tr><td>${vrn}<br><span class="soft">period ${periodKey}</span></td><td class="amount">${formatPenceAsPounds(claimedPence)}</td><td>${stage}${since !== undefined && h`<br><span class="soft">since ${formatDate(since, 'short')}</span>`}</td><td>${paid ? `${formatPenceAsPounds(paid.amountPence)} by ${paid.by.replace('_', ' ')} on ${formatDate(paid.on, 'short')}` : 'not yet'}</td><td>${!paid && form}</td></tr>`;
}

function renderOrganisationCard(organisation: OrganisationView): Markup {
  const { vrn, userId, password, organisationName, companyNumber, obligations, repaymentAccount, nextSituation, insolvent } = organisation;
  const obligationItems = obligations.slice(-4).map((obligation) => {
    const filedText =
      obligation.filedOn === undefined ? `due ${formatDate(obligation.due, 'short')}` : `filed ${formatDate(obligation.filedOn, 'short')}`;
    return h`<li>${formatDate(obligation.start, 'short')} to ${formatDate(obligation.end, 'short')}: ${obligation.status === 'F' ? 'fulfilled' : 'open'}, ${filedText}</li>`;
  });
  return h`<section class="card"><h3>${organisationName}</h3>
<dl>${companyNumber !== undefined && h`<dt>Company number</dt><dd>${companyNumber}</dd>`}<dt>VAT number</dt><dd>${vrn}</dd><dt>User ID</dt><dd><code>${userId}</code></dd><dt>Password</dt><dd><code>${password}</code></dd><dt>Repayments go to</dt><dd>${repaymentAccount ? formatAccount({ sort_code: repaymentAccount.sortCode, account_number: repaymentAccount.accountNumber }) : 'by post (no account)'}</dd></dl>
${insolvent && h`<p class="warn">Insolvent</p>`}${nextSituation !== undefined && h`<p class="warn">Waiting for the next claim: ${SITUATION_LABELS[nextSituation]}</p>`}
<details><summary>Returns due and filed</summary><ul>${obligationItems}</ul></details>
<form method="post" action="${HMRC_PAGE}/situation"><input type="hidden" name="vrn" value="${vrn}">${renderChoice(
    `Situation for ${vrn}`,
    'situation',
    HMRC_SITUATIONS.map((situation) => [situation, SITUATION_LABELS[situation]]),
  )}<button class="plain">Set situation</button></form>
<form method="post" action="${HMRC_PAGE}/stagger"><input type="hidden" name="vrn" value="${vrn}">${renderChoice(
    `Periods for ${vrn}`,
    'stagger',
    [
      ['1', 'Quarters to March, June, September, December'],
      ['2', 'Quarters to April, July, October, January'],
      ['3', 'Quarters to May, August, November, February'],
      ['monthly', 'Monthly'],
    ],
    String(organisation.stagger),
  )}<button class="plain">Change periods</button></form>
<form class="row" method="post" action="${HMRC_PAGE}/returns/elsewhere"><input type="hidden" name="vrn" value="${vrn}"><label for="refund-${vrn}">Refund for the last period, filed with other software (£)</label><input id="refund-${vrn}" name="refund" value="12,000.00"><button class="plain">File with other software</button></form>
<form method="post" action="${HMRC_PAGE}/revoke"><input type="hidden" name="user_id" value="${userId}"><p><button class="final">Revoke the portal’s authorisation</button></p></form></section>`;
}

function renderReturnRow({ vrn, periodKey, boxes, acceptances, timesAccepted }: FiledReturnsView): Markup {
  return h`<tr><td>${vrn}</td><td class="short">${periodKey}</td><td class="amount">${formatPenceAsPounds(boxes.box5)}</td><td class="short">${formatTime(acceptances.at(-1)?.acceptedAt)}</td><td class="amount">${timesAccepted}</td></tr>`;
}
