/** Control routes for the identity-check simulator: checks, review decisions and pending webhooks. */
import type { IdentityCheckControls } from './identity-check-simulator.ts';
import { OUTCOMES } from './identity-records.ts';
import { sendResult, readChoice, readInput, sendError, type ControlRoute, getPathParam } from '../control/control-call.ts';
import { h, type Markup } from '../control/markup.ts';
import { sendPage } from '../control/page.ts';

const CHECKS_PAGE = '/control/identity-checks';

export function identityCheckControlRoutes(checks: IdentityCheckControls): ControlRoute[] {
  return [
    { method: 'GET', url: CHECKS_PAGE, handler: (_request, reply) => sendPage(reply, 'Identity checks', renderChecksPage(checks)) },
    {
      method: 'GET',
      url: `${CHECKS_PAGE}.json`,
      summary: 'Identity checks, oldest first, and their webhooks.',
      responseExample: '{"checks": [...], "webhooks": [...]}',
      handler: (_request, reply) => reply.send({ checks: checks.listChecks(), webhooks: checks.listWebhooks() }),
    },
    {
      method: 'POST',
      url: `${CHECKS_PAGE}/:id/show`,
      summary: 'Chooses the document that the person shows on the provider’s page.',
      requestExample: '{"outcome": "fine" | "other_birth_date" | "no_birth_date" | "blurred" | "another_person" | "doubtful"}',
      responseExample: '{"check": {...}}',
      handler: (request, reply) => {
        const check = checks.chooseOutcome(getPathParam(request, 'id'), readChoice(readInput(request), 'outcome', OUTCOMES));
        if (!check) return sendError(reply, 404, 'id', 'Check not found.');
        return sendResult(reply, { check }, CHECKS_PAGE, `The check is ${check.status}.`);
      },
    },
    {
      method: 'POST',
      url: `${CHECKS_PAGE}/:id/review`,
      summary: 'Records the decision of the provider’s staff on a check under review.',
      requestExample: '{"outcome": "passed" | "failed"}',
      responseExample: '{"settled": true}',
      handler: (request, reply) => {
        const outcome = readChoice(readInput(request), 'outcome', ['passed', 'failed']);
        if (!checks.settleReview(getPathParam(request, 'id'), outcome))
          return sendError(reply, 404, 'id', 'No check with this ID is under review.');
        return sendResult(reply, { settled: true }, CHECKS_PAGE, `The review ended: ${outcome}.`);
      },
    },
  ];
}

function renderChecksPage(checks: IdentityCheckControls): Markup {
  const items = checks.listChecks().map(({ id, full_name, email, status, reasons }) => {
    const description = h`<p>${full_name}, ${email}: <strong>${status}</strong>${reasons.length > 0 && ` (${reasons.join(', ')})`}</p>`;
    if (status !== 'needs_review') return h`<li class="card">${description}</li>`;
    return h`<li class="card">${description}<form class="row" method="post" action="${CHECKS_PAGE}/${id}/review"><button name="outcome" value="passed">Pass</button> <button class="plain" name="outcome" value="failed">Fail</button></form></li>`;
  });
  return h`<p class="lead">People’s identity checks. Each person opens their own check from the portal.</p>
${items.length > 0 ? h`<ul class="cards">${items.reverse()}</ul>` : h`<p class="empty">No checks yet. Start one from “Verify your identity” in the portal.</p>`}`;
}
