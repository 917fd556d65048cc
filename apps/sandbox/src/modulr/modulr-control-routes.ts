/** Control routes for the account name check: each account's holder, and how the bank responds. */
import { sendResult, readChoice, readInput, readText, type ControlRoute } from '../control/control-call.ts';
import { h, type Markup } from '../control/markup.ts';
import { renderTable, sendPage } from '../control/page.ts';
import { type ModulrControls, NAME_CHECK_OUTCOMES } from './modulr-simulator.ts';

const PAGE = '/control/account-names';

export function modulrControlRoutes(modulr: ModulrControls): ControlRoute[] {
  return [
    { method: 'GET', url: PAGE, handler: (_request, reply) => sendPage(reply, 'Account names', renderAccountNamesPage(modulr)) },
    {
      method: 'POST',
      url: PAGE,
      summary: 'Says in whose name a bank account is, and how its bank answers a name check.',
      requestExample: '{"sort_code": "200000", "account_number": "55779911", "name": "Brightwell Exports Ltd", "answer": "compares"}',
      responseExample: '{"accounts": [...]}',
      handler: (request, reply) => {
        const input = readInput(request);
        modulr.setAccount({
          sort_code: readText(input, 'sort_code').replaceAll('-', ''),
          account_number: readText(input, 'account_number'),
          name: readText(input, 'name'),
          answer: readChoice(input, 'answer', NAME_CHECK_OUTCOMES),
        });
        return sendResult(reply, { accounts: modulr.listAccounts() }, PAGE, 'The account has been saved.');
      },
    },
  ];
}

function renderAccountNamesPage(modulr: ModulrControls): Markup {
  const rows = modulr
    .listAccounts()
    .map(
      ({ sort_code, account_number, name, answer }) =>
        h`<tr><td>${sort_code}</td><td>${account_number}</td><td>${name}</td><td>${answer}</td></tr>`,
    );
  return h`<p class="lead">The names that banks have on accounts (Confirmation of Payee). An account belongs to the name of its first check, unless you say otherwise.</p>
${renderTable('Accounts', ['Sort code', 'Account number', 'Name', 'Bank’s answer'], rows, 'No accounts yet.')}
<form class="card" method="post" action="${PAGE}"><h2>Set an account’s name</h2><p class="field"><label for="sort_code">Sort code</label><input id="sort_code" name="sort_code" required></p><p class="field"><label for="account_number">Account number</label><input id="account_number" name="account_number" required></p><p class="field"><label for="name">Name on the account</label><input id="name" name="name" required></p><p class="field"><label for="answer">The bank</label><select id="answer" name="answer">${NAME_CHECK_OUTCOMES.map((outcome) => h`<option>${outcome}</option>`)}</select></p><button>Save</button></form>`;
}
