/** The page where the payer authorises the mandate. It is marked as a simulator, and knows the account whose name the bank checked last. */
import { compareCompanyNames } from '@portal/domain/advances/compare-names.ts';
import type { FastifyInstance } from 'fastify';
import type { NamedAccount } from '../modulr/modulr-simulator.ts';
import { readForm, searchParams } from '../simulator/request.ts';
import { escapeHtml, redirectSeeOther, sendHtml } from '../simulator/responses.ts';
import type { SimulatorStore } from '../simulator/simulator-store.ts';
import { TEST_ACCOUNT_NUMBER, type GoCardlessRecords } from './gocardless-records.ts';

const FLOW_PATH = '/billing/static/flow';

const STYLE = `
  body { margin: 0; font: 18px/1.5 system-ui, sans-serif; color: #1b1b1f; background: #fff; }
  header { background: #1c1b18; color: #fff; padding: 0.75rem 1.25rem; font-weight: 700; }
  .notice { background: #fff7bf; border-bottom: 1px solid #594d00; padding: 0.5rem 1.25rem; font-size: 1rem; }
  main { max-width: 40rem; margin: 0 auto; padding: 1.5rem 1.25rem 3rem; }
  label { display: block; margin-top: 1rem; font-weight: 600; }
  input { font: inherit; padding: 0.5rem; border: 2px solid #1c1b18; border-radius: 4px; width: 100%; box-sizing: border-box; }
  button { font: inherit; margin-top: 1rem; padding: 0.6rem 1rem; border: 2px solid #1c1b18; border-radius: 4px; background: #fff; cursor: pointer; }
  button.main { color: #fff; background: #1c1b18; }
  :focus-visible { outline: 3px solid #1b1b1f; outline-offset: 2px; }
`;

function toPage(title: string, main: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)} – Direct Debit sandbox</title><style>${STYLE}</style></head>
<body>
<header>GoCardless – sandbox simulator</header>
<aside class="notice" aria-label="Simulator">This is not GoCardless. It is a simulator on this computer. Don’t enter real bank details.</aside>
<main><h1>${escapeHtml(title)}</h1>
${main}
</main>
</body>
</html>
`;
}

export function serveAuthorisePage(app: FastifyInstance, records: GoCardlessRecords, store: SimulatorStore): void {
  const checkedAccounts = store.collection<NamedAccount>('modulr.accounts');
  const findAccountNumber = (companyName: string): string => {
    const ownAccount = checkedAccounts.list().findLast(({ document }) => compareCompanyNames(document.name, companyName) === 'match');
    return ownAccount?.document.account_number ?? TEST_ACCOUNT_NUMBER;
  };
  const find = (id: string | null) => {
    const flow = id === null ? undefined : records.flows.get(id);
    const request = flow && records.requests.get(flow.billing_request_id);
    return flow && request ? { flow, request } : undefined;
  };
  app.get(FLOW_PATH, (request, reply) => {
    const foundFlow = find(searchParams(request).get('id'));
    if (!foundFlow) return sendHtml(reply, 404, toPage('Request not found', '<p>Go back and start again.</p>'));
    const { flow } = foundFlow;
    if (foundFlow.request.status !== 'pending') {
      return sendHtml(reply, 200, toPage('This request is finished', `<p><a href="${escapeHtml(flow.redirect_uri)}">Go back</a></p>`));
    }
    const form = `<p>Set up a Direct Debit for <strong>${escapeHtml(flow.company_name)}</strong>.</p>
<form method="post" action="?id=${escapeHtml(flow.id)}">
<label for="holder">Account holder</label><input id="holder" name="holder" value="${escapeHtml(flow.company_name)}">
<label for="sort">Sort code</label><input id="sort" name="sort_code" value="20-00-00">
<label for="number">Account number</label><input id="number" name="account_number" value="${findAccountNumber(flow.company_name)}" inputmode="numeric" pattern="[0-9]{8}" title="8 digits" required>
<button class="main" name="choice" value="confirm">Confirm Direct Debit</button>
<button name="choice" value="exit">Not now</button>
</form>`;
    return sendHtml(reply, 200, toPage('Set up a Direct Debit', form));
  });
  app.post(FLOW_PATH, (request, reply) => {
    const foundFlow = find(searchParams(request).get('id'));
    if (!foundFlow) return sendHtml(reply, 404, toPage('Request not found', '<p>Go back and start again.</p>'));
    const form = readForm(request);
    if (form.get('choice') !== 'confirm') return redirectSeeOther(reply, foundFlow.flow.exit_uri);
    if (foundFlow.request.status === 'pending') {
      const name = form.get('holder') ?? foundFlow.flow.company_name;
      records.fulfil(foundFlow.request, { name, accountNumber: form.get('account_number') ?? findAccountNumber(name) });
    }
    return redirectSeeOther(reply, foundFlow.flow.redirect_uri);
  });
}
