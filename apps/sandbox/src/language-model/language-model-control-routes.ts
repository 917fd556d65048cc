/** Control routes for the language model: its behaviour and the requests it received. */
import { sendResult, readChoice, readInput, type ControlRoute } from '../control/control-call.ts';
import { h, type Markup } from '../control/markup.ts';
import { sendPage } from '../control/page.ts';
import { LANGUAGE_MODEL_MODES, type LanguageModelControls } from './language-model-simulator.ts';

const PAGE = '/control/language-model';

export function languageModelControlRoutes(model: LanguageModelControls): ControlRoute[] {
  return [
    { method: 'GET', url: PAGE, handler: (_request, reply) => sendPage(reply, 'Language model', renderModelPage(model)) },
    {
      method: 'POST',
      url: PAGE,
      summary:
        'Changes how the language model behaves: polite, or obedient to instructions in its input, or failing in one of the ways of real ones.',
      requestExample: '{"mode": "polite" | "obedient" | "newer" | "refusing" | "cut_off" | "calling_tools"}',
      responseExample: '{"mode": "obedient"}',
      handler: (request, reply) => {
        model.setMode(readChoice(readInput(request), 'mode', LANGUAGE_MODEL_MODES));
        return sendResult(reply, { mode: model.getMode() }, PAGE, 'The model now behaves so.');
      },
    },
    {
      method: 'GET',
      url: `${PAGE}/calls`,
      summary: 'Lists what the language model got since the sandbox started, and what it answered.',
      responseExample: '{"calls": [...]}',
      handler: (_request, reply) => reply.send({ calls: model.listCalls() }),
    },
  ];
}

function renderModelPage(model: LanguageModelControls): Markup {
  const calls = model.listCalls().slice(-20).toReversed();
  return h`<p class="lead">An OpenAI-compatible endpoint. As “obedient” it does what it finds in its input, so that the portal’s checks have something to catch.</p>
<form class="card" method="post" action="${PAGE}"><h2>Behaviour</h2><p class="field"><label for="mode">Mode</label><select id="mode" name="mode">${LANGUAGE_MODEL_MODES.map((mode) => h`<option ${mode === model.getMode() ? 'selected' : ''}>${mode}</option>`)}</select></p><button>Save</button></form>
<h2>What it got last</h2>
<ul class="cards">${calls.map(({ at, request, answer }) => h`<li class="card"><p>${at}</p><pre>${JSON.stringify(request, null, 1)}</pre><p>Answer</p><pre>${answer}</pre></li>`)}</ul>`;
}
