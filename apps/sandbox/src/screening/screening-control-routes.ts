/** Control routes for the screening simulator's list of people and companies. */
import { sendResult, readChoice, readInput, readText, type ControlRoute } from '../control/control-call.ts';
import { h, type Markup } from '../control/markup.ts';
import { renderTable, sendPage } from '../control/page.ts';
import { LISTED_TOPICS, type ScreeningControls } from './screening-simulator.ts';

const PAGE = '/control/screening';

export function screeningControlRoutes(screening: ScreeningControls): ControlRoute[] {
  return [
    { method: 'GET', url: PAGE, handler: (_request, reply) => sendPage(reply, 'Sanctions and PEP lists', listPage(screening)) },
    {
      method: 'POST',
      url: PAGE,
      summary: 'Puts an invented person or company on the list against which the portal screens.',
      requestExample: '{"schema": "Person" | "Company", "name": "Marcus Lane", "topic": "sanction" | "role.pep" | "crime.fin"}',
      responseExample: '{"entities": [...]}',
      handler: (request, reply) => {
        const input = readInput(request);
        const schema = readChoice(input, 'schema', ['Person', 'Company']);
        screening.addEntity({ schema, name: readText(input, 'name'), topic: readChoice(input, 'topic', LISTED_TOPICS) });
        return sendResult(reply, { entities: screening.listEntities() }, PAGE, 'Added to the list.');
      },
    },
    {
      method: 'POST',
      url: `${PAGE}/remove`,
      summary: 'Removes a name from the list.',
      requestExample: '{"name": "Marcus Lane"}',
      responseExample: '{"entities": [...]}',
      handler: (request, reply) => {
        screening.removeEntity(readText(readInput(request), 'name'));
        return sendResult(reply, { entities: screening.listEntities() }, PAGE, 'Removed from the list.');
      },
    },
  ];
}

function listPage(screening: ScreeningControls): Markup {
  const rows = screening
    .listEntities()
    .map(
      ({ schema, name, topic }) =>
        h`<tr><td>${schema}</td><td>${name}</td><td>${topic}</td><td><form method="post" action="${PAGE}/remove"><input type="hidden" name="name" value="${name}"><button class="plain">Remove</button></form></td></tr>`,
    );
  return h`<p class="lead">The invented list of sanctioned and politically exposed people and companies against which the portal screens.</p>
${renderTable('Listed names', ['Kind', 'Name', 'Why listed', 'Action'], rows, 'The list is empty.')}
<form class="card" method="post" action="${PAGE}"><h2>Add to the list</h2><p class="field"><label for="schema">Kind</label><select id="schema" name="schema"><option>Person</option><option>Company</option></select></p><p class="field"><label for="name">Name</label><input id="name" name="name" required></p><p class="field"><label for="topic">Why listed</label><select id="topic" name="topic">${LISTED_TOPICS.map((topic) => h`<option>${topic}</option>`)}</select></p><button>Add</button></form>`;
}
