/** Control page with the current authenticator codes of the sandbox's operators, for users without an authenticator app. */
import { generateCode } from '../seed/authenticator-code.ts';
import { SANDBOX_OPERATORS } from '../seed/sandbox-operators.ts';
import { acceptsHtml, type ControlRoute } from './control-call.ts';
import { h, type Markup } from './markup.ts';
import { renderTable, sendPage } from './page.ts';

const STEP_MS = 30_000;

/** Authenticator apps use real time, so moving the sandbox's clock has no effect. */
export function authenticatorControlRoutes(): ControlRoute[] {
  return [
    {
      method: 'GET',
      url: '/control/authenticators',
      summary: 'The operators’ authenticator codes: the current one and the next. Each works once.',
      responseExample: '{"operators": [{"email", "full_name", "roles", "authenticator_secret", "code", "next_code"}], "seconds_left": 12}',
      handler: (request, reply) =>
        acceptsHtml(request) ? sendPage(reply, 'Authenticator codes', renderCodesPage()) : reply.send(toResponse()),
    },
  ];
}

function toResponse() {
  return {
    operators: SANDBOX_OPERATORS.map((operator) => ({
      ...operator,
      code: generateCode(operator.authenticator_secret),
      next_code: generateCode(operator.authenticator_secret, 1),
    })),
    seconds_left: Math.ceil((STEP_MS - (Date.now() % STEP_MS)) / 1000),
  };
}

function renderCodesPage(): Markup {
  const { operators, seconds_left: secondsLeft } = toResponse();
  const rows = operators.map(
    ({ full_name, email, code, next_code, authenticator_secret }) =>
      h`<tr><th scope="row">${full_name}<br><span class="soft">${email}</span></th><td><code>${code}</code></td><td><code>${next_code}</code></td><td><code>${authenticator_secret}</code></td></tr>`,
  );
  return h`<p class="lead">The portal asks its operators for these codes. The next ones follow in ${String(secondsLeft)} seconds; reload the page then. Each code works once, and the next one is accepted already.</p>
${renderTable('Codes', ['Operator', 'Code now', 'Next code', 'Key for an app'], rows, 'No operators.')}`;
}
