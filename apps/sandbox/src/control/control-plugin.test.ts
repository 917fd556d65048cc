/** Tests the behaviour shared by all control routes. */
import { AppError } from '@portal/domain/app-error.ts';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startSimulatorHost } from '../simulator/host-simulators.ts';
import { ControlInputError, sendResult, readInput, readText, type ControlRoute } from './control-call.ts';
import { createControlPlugin } from './control-plugin.ts';
import { h } from './markup.ts';
import { renderTable, sendPage } from './page.ts';

const routes: ControlRoute[] = [
  { method: 'GET', url: '/control/colour', handler: (_request, reply) => sendPage(reply, 'Colour', h`<p>red</p>`) },
  {
    method: 'POST',
    url: '/control/colour',
    handler: (request, reply) => {
      const colour = readText(readInput(request), 'colour');
      if (colour === 'odd') throw new ControlInputError('colour', 'No such colour.');
      if (colour === 'gone') throw new AppError('notFound', 'paint.gone', 'The paint is gone.');
      if (colour === 'broken') throw new Error('an unexpected failure');
      return sendResult(reply, { colour }, '/control/colour', 'Painted.');
    },
  },
];

async function start() {
  const host = await startSimulatorHost([{ basePath: '', plugin: createControlPlugin(routes) }], 0, '127.0.0.1');
  onTestFinished(() => host.close());
  const url = `${host.url}/control/colour`;
  const postColour = (body: string | URLSearchParams, headers: Record<string, string> = {}) =>
    fetch(url, { method: 'POST', body, headers, redirect: 'manual' });
  return { origin: host.url, url, paint: postColour };
}

it('a control route reads JSON, a form, and JSON with the form content type that curl sends', async () => {
  const { paint } = await start();
  const formHeaders = { 'content-type': 'application/x-www-form-urlencoded' };
  expect(await (await paint('{"colour":"blue"}')).json()).toEqual({ colour: 'blue' });
  expect(await (await paint('{"colour":"blue"}', formHeaders)).json()).toEqual({ colour: 'blue' });
  const formResponse = await paint(new URLSearchParams({ colour: 'blue' }));
  expect([formResponse.status, formResponse.headers.get('location')]).toEqual([303, '/control/colour?done=Painted.']);
});

it('a table gives the style sheet its headings, which label the cells on a phone', () => {
  const { markup } = renderTable('Paints', ['Colour', { amount: 'Litres' }], [h`<tr><td>red</td><td class="amount">2</td></tr>`], 'None.');
  expect(markup).toContain('<table style="--heading-1:&quot;Colour&quot;;--heading-2:&quot;Litres&quot;">');
  expect(markup).toContain('<th scope="col">Colour</th><th scope="col" class="amount">Litres</th>');
});

it('an error names the field for a script and is a page for a form', async () => {
  const { paint } = await start();
  const invalidColourResponse = await paint('{"colour":"odd"}');
  expect([invalidColourResponse.status, await invalidColourResponse.json()]).toEqual([
    400,
    { error: { field: 'colour', message: 'No such colour.' } },
  ]);
  const expiredColourResponse = await paint('{"colour":"gone"}');
  expect([expiredColourResponse.status, await expiredColourResponse.json()]).toEqual([
    404,
    { error: { field: 'paint.gone', message: 'The paint is gone.' } },
  ]);
  const pageResponse = await paint(new URLSearchParams({ colour: 'odd' }), { referer: 'http://localhost/control/colour?x=1' });
  expect([pageResponse.status, pageResponse.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
  expect(await pageResponse.text()).toContain('<a href="/control/colour">Back</a>');
});

it('an unexpected failure is reported as a failure of the sandbox', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => log.mockRestore());
  const { paint } = await start();
  const brokenResponse = await paint('{"colour":"broken"}');
  expect([brokenResponse.status, await brokenResponse.text()]).toEqual([500, 'The sandbox itself failed; see its log.\n']);
  expect(log).toHaveBeenCalledOnce();
});

it('only the sandbox’s own pages and scripts may change anything; any page may read', async () => {
  const { origin, url, paint } = await start();
  for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }, { origin: 'https://elsewhere.example' }]) {
    expect((await paint('{"colour":"blue"}', headers)).status).toBe(403);
  }
  expect((await paint('{"colour":"blue"}', { origin })).status).toBe(200);
  expect((await fetch(url, { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(200);
  expect((await fetch(`${url}/`, { method: 'HEAD' })).status).toBe(200);
});

it('an unknown path returns a page to browsers and JSON to scripts', async () => {
  const { origin } = await start();
  const scriptResponse = await fetch(`${origin}/nothing`, { method: 'POST', headers: { origin: 'https://elsewhere.example' } });
  expect([scriptResponse.status, await scriptResponse.json()]).toEqual([
    404,
    { error: { field: 'path', message: 'Not found. The list of calls is at /.' } },
  ]);
  const pageNotFoundResponse = await fetch(`${origin}/nothing`, { headers: { accept: 'text/html' } });
  expect([pageNotFoundResponse.status, await pageNotFoundResponse.text()]).toEqual([
    404,
    expect.stringContaining('The sandbox has no page at this address.'),
  ]);
});
