/**
 * Control pages for HMRC's agent services: the practice's generated clients, its files, and the clients' answers to authorisation requests.
 */
import { searchParams } from '../simulator/request.ts';
import type { Clock } from '@portal/domain/clock.ts';
import { parsePlainDate } from '@portal/domain/plain-date.ts';
import type { AgentControls } from './agent-controls.ts';
import { AGENT_SERVICES } from './agent-records.ts';
import { formatImportFile, createImportFile } from '../portfolio/import-file.ts';
import { OAKLINE } from '../portfolio/oakline.ts';
import type { Portfolio } from '../portfolio/portfolio-client.ts';
import { formatStatement, createStatements } from '../portfolio/statements.ts';
import {
  toText,
  ControlInputError,
  sendResult,
  readChoice,
  readInput,
  readText,
  readWholeNumber,
  type ControlRoute,
} from '../control/control-call.ts';
import { h, type Markup } from '../control/markup.ts';
import { renderTable, sendPage } from '../control/page.ts';

const AGENTS_PAGE = '/control/hmrc-agents';
const MAX_CLIENTS = 100_000;
const MAX_LISTED_REQUESTS = 40;
const DECISIONS = ['accept', 'reject'] as const;

export function agentControlRoutes(agents: AgentControls, clock: Clock): ControlRoute[] {
  return [
    { method: 'GET', url: AGENTS_PAGE, handler: (_request, reply) => sendPage(reply, 'HMRC for agents', renderAgentsPage(agents)) },
    ...portfolioRoutes(agents, clock),
    ...authorisationRoutes(agents),
  ];
}

function portfolioRoutes(agents: AgentControls, clock: Clock): ControlRoute[] {
  const createFileRoute = (path: string, summary: string, format: (portfolio: Portfolio) => string): ControlRoute => ({
    method: 'GET',
    url: `${AGENTS_PAGE}/portfolio/${path}`,
    summary,
    responseExample: 'text/csv',
    handler: (_request, reply) => {
      const portfolio = agents.findPortfolio();
      if (!portfolio) return reply.code(404).send({ error: { field: 'portfolio', message: 'No portfolio is loaded. POST one first.' } });
      const headers = { 'content-type': 'text/csv; charset=utf-8', 'content-disposition': `attachment; filename="${path}"` };
      return reply.headers(headers).send(format(portfolio));
    },
  });
  return [
    {
      method: 'POST',
      url: `${AGENTS_PAGE}/portfolio`,
      summary:
        'Creates clients for Oakline at HMRC and Companies House, the same for the same seed and day. They replace any loaded earlier.',
      requestExample: '{"clients": 10000, "seed"?: 1, "today"?: "2026-11-21"}',
      responseExample: '{"clients", "seed", "today", "arn", "hmrc_user_id"}',
      handler: (request, reply) => {
        const input = readInput(request);
        const clients = readWholeNumber(input, 'clients', 0);
        if (clients > MAX_CLIENTS) throw new ControlInputError('clients', `clients must be at most ${MAX_CLIENTS}.`);
        const seed = toText(input['seed']) === '' ? 1 : readWholeNumber(input, 'seed', 0);
        const requestedDay = toText(input['today']);
        const today = requestedDay === '' ? clock.today() : parsePlainDate(requestedDay);
        if (today === undefined) throw new ControlInputError('today', 'today must be a date such as 2026-11-21.');
        agents.loadPortfolio({ clients, seed, today });
        const resource = { clients, seed, today, arn: OAKLINE.arn, hmrc_user_id: OAKLINE.hmrcUserId };
        return sendResult(reply, resource, AGENTS_PAGE, `Oakline has ${clients} clients.`);
      },
    },
    {
      method: 'POST',
      url: `${AGENTS_PAGE}/rate`,
      summary: 'Changes HMRC’s limit of 3 requests a second, for loading many clients. Without a number the limit is 3 again.',
      requestExample: '{"requests_per_second"?: 1000}',
      responseExample: '{"requests_per_second"}',
      handler: (request, reply) => {
        const input = readInput(request);
        const limit = toText(input['requests_per_second']) === '' ? undefined : readWholeNumber(input, 'requests_per_second', 1);
        agents.setRequestsPerSecond(limit);
        return sendResult(reply, { requests_per_second: limit ?? null }, AGENTS_PAGE, 'The limit has been changed.');
      },
    },
    createFileRoute('clients.csv', 'The import file of the loaded portfolio, with a few untidy, duplicate and invalid rows.', (portfolio) =>
      formatImportFile(createImportFile(portfolio)),
    ),
    createFileRoute('paye-statement.csv', 'The PAYE statements for its clients.', (portfolio) =>
      formatStatement(createStatements(portfolio).paye),
    ),
    createFileRoute('ct-statement.csv', 'The corporation tax statements for its clients.', (portfolio) =>
      formatStatement(createStatements(portfolio).ct),
    ),
  ];
}

function authorisationRoutes(agents: AgentControls): ControlRoute[] {
  return [
    {
      method: 'GET',
      url: `${AGENTS_PAGE}/invitations`,
      summary: 'Authorisation requests of Oakline, or of ?arn=, newest first, with the link for the client’s answer.',
      responseExample: '{"invitations": [{"invitation_id", "service", "client_id", "status", "created_at", "client_action_url"}]}',
      handler: (request, reply) =>
        reply.send({
          invitations: agents.listInvitations(searchParams(request).get('arn') ?? OAKLINE.arn).map((invitation) => ({
            invitation_id: invitation.invitationId,
            service: invitation.service,
            client_id: invitation.clientId,
            status: invitation.status,
            created_at: invitation.createdAt,
            client_action_url: invitation.clientActionUrl,
          })),
        }),
    },
    {
      method: 'POST',
      url: `${AGENTS_PAGE}/invitations/answer`,
      summary: 'Records the client’s response to a request: accept or reject.',
      requestExample: '{"invitation_id": "CS5AK7O8FPC43", "answer": "accept"}',
      responseExample: '{"answered": true}',
      handler: (request, reply) => {
        const input = readInput(request);
        const decision = readChoice(input, 'answer', DECISIONS);
        agents.answerInvitation(readText(input, 'invitation_id'), decision);
        return sendResult(
          reply,
          { answered: true },
          AGENTS_PAGE,
          decision === 'accept' ? 'The client has accepted.' : 'The client has rejected the request.',
        );
      },
    },
    {
      method: 'POST',
      url: `${AGENTS_PAGE}/revoke`,
      summary: 'Revokes the authorisation, as the client would in their own HMRC account.',
      requestExample: '{"service": "MTD-VAT", "client_id": "482193730", "arn"?: "..."}',
      responseExample: '{"revoked": true}',
      handler: (request, reply) => {
        const input = readInput(request);
        const arn = toText(input['arn']) || OAKLINE.arn;
        const wasRevoked = agents.revoke(arn, readChoice(input, 'service', AGENT_SERVICES), readText(input, 'client_id'));
        return sendResult(
          reply,
          { revoked: wasRevoked },
          AGENTS_PAGE,
          wasRevoked ? 'The authorisation has ended.' : 'No such authorisation was found.',
        );
      },
    },
  ];
}

function renderAgentsPage(agents: AgentControls): Markup {
  const portfolio = agents.findPortfolio();
  const pendingInvitations = agents.listInvitations(OAKLINE.arn).filter(({ status }) => status === 'Pending');
  const findClientName = (clientId: string) => (portfolio?.byVrn.get(clientId) ?? portfolio?.byNino.get(clientId))?.name ?? '';
  const renderButton = (invitationId: string, decision: 'accept' | 'reject', label: string) =>
    h`<form method="post" action="${AGENTS_PAGE}/invitations/answer"><input type="hidden" name="invitation_id" value="${invitationId}"><input type="hidden" name="answer" value="${decision}"><button class="plain">${label}</button></form>`;
  const rows = pendingInvitations
    .slice(0, MAX_LISTED_REQUESTS)
    .map(
      ({ invitationId, service, clientId, createdAt, clientActionUrl }) =>
        h`<tr><td>${findClientName(clientId)}</td><td>${clientId}</td><td>${service}</td><td class="short">${createdAt.slice(0, 10)}</td><td><a href="${clientActionUrl}">Client’s page</a></td><td>${renderButton(invitationId, 'accept', 'Accept')}${renderButton(invitationId, 'reject', 'Decline')}</td></tr>`,
    );
  const files = ['clients.csv', 'paye-statement.csv', 'ct-statement.csv'].map(
    (name) => h`<li><a href="${AGENTS_PAGE}/portfolio/${name}">${name}</a></li>`,
  );
  return h`<p class="lead">${OAKLINE.name}, agent reference ${OAKLINE.arn}, signs in at HMRC as ${OAKLINE.hmrcUserId}. ${portfolio ? h`It has ${String(portfolio.clients)} clients (seed ${String(portfolio.seed)}, as of ${portfolio.today}).` : 'No portfolio is loaded.'}</p>
${portfolio && h`<h2>Files</h2><ul>${files}</ul>`}
<form class="card" method="post" action="${AGENTS_PAGE}/portfolio"><h2>Load a portfolio</h2><p class="field"><label for="clients">Clients</label><input id="clients" name="clients" inputmode="numeric" value="300" required></p><p class="field"><label for="seed">Seed</label><input id="seed" name="seed" inputmode="numeric" value="1"></p><button>Load portfolio</button></form>
${renderTable('Requests waiting for clients', ['Client', 'Number', 'Service', 'Sent', 'Page', 'Response'], rows, 'None.')}
${pendingInvitations.length > MAX_LISTED_REQUESTS && h`<p class="soft">Showing the newest ${MAX_LISTED_REQUESTS} of ${pendingInvitations.length}.</p>`}`;
}
