/** Index page: what the sandbox is, links to its pages, and its API for scripts, generated from the routes. */
import type { ControlRoute } from './control-call.ts';
import { h, type Markup } from './markup.ts';
import { sendPage } from './page.ts';
import type { SandboxSettings } from '../sandbox-settings.ts';

export type IndexSettings = Pick<SandboxSettings, 'portalUrl' | 'smtpPort' | 'dataDir'> & { readonly url: string };

const INDEX_LINKS = [
  ['/mailbox', 'Mailbox', 'Every email the portal has sent, with its links, and every text message.'],
  ['/control/bank', 'Bank', 'Payouts, collection accounts, money that arrives, payments that come back.'],
  ['/control/hmrc', 'HMRC', 'Test organisations, their returns, and repayments to move through HMRC’s stages.'],
  ['/control/people', 'Sign-in providers', 'Who holds an account at Google, Microsoft, Xero, Intuit and FreeAgent.'],
  ['/control/hmrc-agents', 'HMRC for agents', 'A practice’s clients from a seed, its files, and what clients answer.'],
  ['/control/companies-house', 'Companies House', 'The register, and what becomes of a company on it.'],
  ['/control/identity-checks', 'Identity checks', 'Checks under way, and what the provider’s staff decides.'],
  ['/control/chat', 'Chat', 'What was written in the portal’s live chat, and by whom.'],
  ['/control/clock', 'Clock', 'One time for portal and doubles; jump to the day that matters.'],
  ['/control/faults', 'Faults', 'Make the next calls of an operation fail as real providers do.'],
] as const;

export function indexRoutes(settings: IndexSettings, documentedRoutes: readonly ControlRoute[]): ControlRoute[] {
  return [{ method: 'GET', url: '/', handler: (_request, reply) => sendPage(reply, 'Sandbox', indexPage(settings, documentedRoutes)) }];
}

function indexPage({ portalUrl, smtpPort, dataDir, url }: IndexSettings, documentedRoutes: readonly ControlRoute[]): Markup {
  const cards = INDEX_LINKS.map(([path, name, text]) => h`<li class="card"><h2><a href="${path}">${name}</a></h2><p>${text}</p></li>`);
  return h`<p class="lead">Stand-ins for HMRC, the bank and the post, for the portal at <a href="${portalUrl}/portal">${portalUrl}/portal</a>. They speak the providers’ own wire formats, remember everything over restarts, and move no real money. The pages and calls below exist at no provider.</p>
<ul class="cards">${cards}</ul>
<h2>Where the doubles answer</h2>
<dl><dt>HMRC API</dt><dd><code>${url}/hmrc</code></dd><dt>HMRC sign-in</dt><dd><code>${url}/hmrc-www</code></dd><dt>TrueLayer</dt><dd><code>${url}/truelayer</code> (auth server and API)</dd><dt>Ways in</dt><dd><code>${url}</code>/google, /microsoft, /xero, /intuit, /freeagent, /twilio, /companies-house, /identity-check, /hubspot, /tag-manager</dd><dt>Mail</dt><dd><code>smtp://localhost:${smtpPort}</code></dd><dt>Kept in</dt><dd><code>${dataDir}</code></dd></dl>
<h2 id="calls">Calls for scripts</h2>
<p>JSON in, JSON out. The same addresses take the forms of these pages. A call that cannot be understood answers 400 with <code>{"error": {"field", "message"}}</code>.</p>
<div class="cards">${documentedRoutes.filter(({ summary }) => summary !== undefined).map(describeRoute)}</div>
<form class="card" method="post" action="/control/reset"><h2>Start over</h2><p>Forgets everything the doubles know (organisations, returns, payouts, emails, faults) and seeds the world again. The clock stays. The portal keeps what it knows, so reset it as well.</p><button class="final">Forget everything</button></form>`;
}

function describeRoute({ method, url, summary, requestExample: takes, responseExample: gives }: ControlRoute): Markup {
  return h`<div class="card"><h3><code>${method} ${url}</code></h3><p>${summary}</p>
${takes !== undefined && h`<p class="soft">Takes <code>${takes}</code></p>`}
${gives !== undefined && h`<p class="soft">Gives <code>${gives}</code></p>`}</div>`;
}
