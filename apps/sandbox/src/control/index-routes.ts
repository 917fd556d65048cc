/** Index page: describes the sandbox, links to its pages, and lists its API for scripts, based on the routes. */
import type { ControlRoute } from './control-call.ts';
import { h, type Markup } from './markup.ts';
import { sendPage } from './page.ts';
import type { SandboxSettings } from '../sandbox-settings.ts';

export type IndexSettings = Pick<SandboxSettings, 'portalUrl' | 'smtpPort' | 'dataDir'> & { readonly url: string };

const INDEX_LINKS = [
  ['/mailbox', 'Mailbox', 'Every email the portal has sent, with its links, and every text message.'],
  ['/control/bank', 'Bank', 'Payouts, collection accounts, incoming money and returned payments.'],
  ['/control/hmrc', 'HMRC', 'Test organisations, their returns, and repayments that you can move through HMRC’s stages.'],
  ['/control/authenticators', 'Authenticator codes', 'The codes that the portal asks its operators for.'],
  ['/control/books', 'Bookkeeping programs', 'Organisations at Xero, QuickBooks and FreeAgent, and their documents.'],
  ['/control/people', 'Sign-in providers', 'People with an account at Google, Microsoft, Xero, Intuit and FreeAgent.'],
  [
    '/control/hmrc-agents',
    'HMRC for agents',
    'A practice’s generated clients, its files, and the clients’ answers to authorisation requests.',
  ],
  ['/control/companies-house', 'Companies House', 'The company register. Change a company’s status.'],
  ['/control/identity-checks', 'Identity checks', 'Current checks. Make the provider’s decisions yourself.'],
  ['/control/account-names', 'Account names', 'In whose name a bank account is (Confirmation of Payee).'],
  ['/control/screening', 'Sanctions and PEP lists', 'The invented list against which the portal screens companies and people.'],
  ['/control/language-model', 'Language model', 'How the model that rewords drafts behaves, and what it received.'],
  ['/control/chat', 'Chat', 'Messages sent in the portal’s live chat.'],
  ['/control/clock', 'Clock', 'The clock that the portal and the simulators share. Move it to any day.'],
  ['/control/faults', 'Faults', 'Make the next calls of an operation fail as real providers do.'],
] as const;

export function indexRoutes(settings: IndexSettings, documentedRoutes: readonly ControlRoute[]): ControlRoute[] {
  return [
    { method: 'GET', url: '/', handler: (_request, reply) => sendPage(reply, 'Sandbox', renderIndexPage(settings, documentedRoutes)) },
  ];
}

function renderIndexPage({ portalUrl, smtpPort, dataDir, url }: IndexSettings, documentedRoutes: readonly ControlRoute[]): Markup {
  const cards = INDEX_LINKS.map(([path, name, text]) => h`<li class="card"><h2><a href="${path}">${name}</a></h2><p>${text}</p></li>`);
  return h`<p class="lead">Simulators of HMRC, the bank and other providers for the portal at <a href="${portalUrl}/portal">${portalUrl}/portal</a>. They use the providers’ own wire formats, keep their data across restarts, and move no real money. The pages and calls below belong to the sandbox only.</p>
<ul class="cards">${cards}</ul>
<h2>Addresses of the simulators</h2>
<dl><dt>HMRC API</dt><dd><code>${url}/hmrc</code></dd><dt>HMRC sign-in</dt><dd><code>${url}/hmrc-www</code></dd><dt>TrueLayer</dt><dd><code>${url}/truelayer</code> (auth server and API)</dd><dt>Other providers</dt><dd><code>${url}</code>/google, /microsoft, /xero, /intuit, /freeagent, /freeagent-practice, /twilio, /companies-house, /identity-check, /modulr, /opensanctions, /hubspot, /language-model, /tag-manager</dd><dt>Mail</dt><dd><code>smtp://localhost:${smtpPort}</code></dd><dt>Virus scanner (clamd)</dt><dd><code>tcp://localhost:${smtpPort + 1}</code></dd><dt>Data folder</dt><dd><code>${dataDir}</code></dd></dl>
<h2 id="calls">Calls for scripts</h2>
<p>JSON in, JSON out. The same addresses accept the forms of these pages. An invalid call returns 400 with <code>{"error": {"field", "message"}}</code>.</p>
<div class="cards">${documentedRoutes.filter(({ summary }) => summary !== undefined).map(describeRoute)}</div>
<form class="card" method="post" action="/control/reset"><h2>Start over</h2><p>Deletes all the simulators’ data (organisations, returns, payouts, emails, faults) and loads the seed data again. The clock doesn’t change. The portal keeps its own data, so reset that too.</p><button class="final">Delete everything</button></form>`;
}

function describeRoute({ method, url, summary, requestExample, responseExample }: ControlRoute): Markup {
  return h`<div class="card"><h3><code>${method} ${url}</code></h3><p>${summary}</p>
${requestExample !== undefined && h`<p class="soft">Request <code>${requestExample}</code></p>`}
${responseExample !== undefined && h`<p class="soft">Response <code>${responseExample}</code></p>`}</div>`;
}
