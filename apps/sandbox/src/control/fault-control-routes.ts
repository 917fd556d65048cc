/** Control page for injecting faults into the simulators. */
import { FAULT_KINDS, type FaultKind, type Faults } from '../simulator/faults.ts';
import {
  ControlInputError,
  sendResult,
  isForm,
  readChoice,
  readInput,
  readText,
  acceptsHtml,
  readWholeNumber,
  type ControlRoute,
} from './control-call.ts';
import { h } from './markup.ts';
import { renderChoice, renderField, renderTable, sendPage } from './page.ts';

const KIND_DESCRIPTIONS: Readonly<Record<FaultKind, string>> = {
  timeout_after_work: 'Does the work, then closes the connection without a response',
  too_many: 'Responds with 429 and does nothing',
  too_many_later: 'Responds with 429 and Retry-After: 3, and does nothing',
  server_error: 'Responds with 500 (mail: 451) and does nothing',
  forbidden: 'Responds with 403 and does nothing',
  cut_before_work: 'Closes the connection without a response, and does nothing',
  html_page: 'Responds with 200 and an HTML page, and does nothing',
  malformed_body: 'Does the work, but sends only half the response',
  cut_off: 'Does the work, then the connection breaks in the middle of the response',
  wrong_types: 'Does the work, but sends numbers as strings, strings as numbers and lists as objects',
  missing_fields: 'Does the work, but leaves one field out of each object',
  slow: 'Waits five seconds, then responds normally',
};

/** `operations` lists the names that the simulators support. A fault for any other name would never fire. */
export function faultControlRoutes(faults: Faults, operations: readonly string[]): ControlRoute[] {
  const toResponse = () => ({ faults: faults.list() });
  return [
    {
      method: 'GET',
      url: '/control/faults',
      summary: 'Faults that haven’t been used yet.',
      responseExample: '{"faults": [{"operation", "kind", "times"}]}',
      handler: (request, reply) =>
        acceptsHtml(request) ? sendPage(reply, 'Faults', renderFaultPage(faults, operations)) : reply.send(toResponse()),
    },
    {
      method: 'POST',
      url: '/control/faults',
      summary: `Makes the next calls of an operation fail. Operations: ${operations.join(', ')}. Kinds: ${FAULT_KINDS.join(', ')}.`,
      requestExample: '{"operation": "truelayer.create_payout", "kind": "timeout_after_work", "times": 1}',
      responseExample: '{"faults": [...]}',
      handler: (request, reply) => {
        const input = readInput(request);
        // HTML forms cannot send DELETE.
        if (isForm(request) && input['method'] === 'DELETE') {
          faults.clear();
          return sendResult(reply, toResponse(), '/control/faults', 'All faults have been removed.');
        }
        const operation = readText(input, 'operation');
        if (!operations.includes(operation)) throw new ControlInputError('operation', `${operation} isn’t an operation of the simulators.`);
        const kind = readChoice(input, 'kind', FAULT_KINDS);
        const times = input['times'] === undefined ? 1 : readWholeNumber(input, 'times', 1);
        faults.set({ operation, kind, times });
        return sendResult(reply, toResponse(), '/control/faults', `${operation} will fail ${times === 1 ? 'once' : `${times} times`}.`);
      },
    },
    {
      method: 'DELETE',
      url: '/control/faults',
      summary: 'Removes all faults.',
      responseExample: '{"faults": []}',
      handler: (_request, reply) => {
        faults.clear();
        return reply.send(toResponse());
      },
    },
  ];
}

function renderFaultPage(faults: Faults, operations: readonly string[]) {
  const rows = faults
    .list()
    .map(
      ({ operation, kind, times }) =>
        h`<tr><td><code>${operation}</code></td><td>${KIND_DESCRIPTIONS[kind]}</td><td class="amount">${times}</td></tr>`,
    );
  return h`<p class="lead">Make the next calls of one operation fail, as real providers sometimes do.</p>
<form class="card" method="post"><h2>Add a fault</h2>
${renderChoice(
  'Operation',
  'operation',
  operations.map((name) => [name, name]),
)}
${renderChoice(
  'What happens',
  'kind',
  FAULT_KINDS.map((kind) => [kind, KIND_DESCRIPTIONS[kind]]),
)}
${renderField('How many calls', 'times', '1')}
<button>Add fault</button></form>
${renderTable('Active faults', ['Operation', 'What happens', { amount: 'Calls left' }], rows, 'No faults are set: every call works.')}
${rows.length > 0 && h`<form method="post"><input type="hidden" name="method" value="DELETE"><p><button class="plain">Remove all</button></p></form>`}`;
}
