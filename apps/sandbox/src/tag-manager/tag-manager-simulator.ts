/** The double of Google's Tag Manager: serves a container and remembers what the pages told it. */
import { randomUUID } from 'node:crypto';
import type { Instant } from '@portal/domain/clock.ts';
import { z } from 'zod';
import { findRoute, type Simulator, type SimulatorCall, type SimulatorDeps, type SimulatorRoute } from '../simulator/simulator.ts';
import { json } from '../simulator/responses.ts';
import { parseJson } from '@portal/providers/http/parse-json.ts';
import { containerScript } from './container-script.ts';

/** One entry of a page's dataLayer. `at` is the path of the page that sent it, `entry` the object, or gtag's arguments as a list. */
export type SandboxTagEntry = {
  readonly container: string;
  readonly at: string;
  readonly entry: unknown;
  readonly sent_at: Instant;
};

export type TagManagerControls = {
  /** Oldest first. */
  listEntries(): SandboxTagEntry[];
  forget(): void;
};

export type TagManagerSimulator = Simulator & { readonly controls: TagManagerControls };

const ENTRIES_KEPT = 1_000;
const CONTAINER = /^GTM-[A-Z0-9]{4,12}$/;
const entryWire = z.object({
  container: z.string().regex(CONTAINER),
  at: z.string().max(500),
  entry: z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())]),
});

export function createTagManagerSimulator(deps: SimulatorDeps): TagManagerSimulator {
  const entries = deps.store.collection<SandboxTagEntry>('tag_manager.entries');
  const basePath = new URL(deps.publicUrl).pathname.replace(/\/$/, '');
  const routes: SimulatorRoute[] = [
    { method: 'GET', path: '/gtm.js', answer: (call) => answerContainer(deps, call) },
    { method: 'POST', path: '/double/entries', answer: (call) => keepEntry(deps, call) },
  ];
  return {
    fetch: async (request) => {
      const url = new URL(request.url);
      const found = findRoute(routes, basePath, request.method, url.pathname);
      if (!found) return new Response('Not found', { status: 404 });
      return found.route.answer({ request, url, params: found.params, bodyText: await request.text() });
    },
    controls: {
      listEntries: () => entries.list().map(({ document }) => document),
      forget: () => {
        for (const { key } of entries.list()) entries.delete(key);
      },
    },
  };
}

/** As the real one: a container that does not exist is not found. */
function answerContainer({ publicUrl }: SimulatorDeps, { url }: SimulatorCall): Response {
  const id = url.searchParams.get('id') ?? '';
  if (!CONTAINER.test(id)) return new Response('Not found', { status: 404 });
  return new Response(containerScript(`${publicUrl}/double/entries`, id), {
    headers: { 'content-type': 'application/javascript; charset=utf-8', 'cache-control': 'no-store' },
  });
}

function keepEntry({ store, clock }: SimulatorDeps, { bodyText }: SimulatorCall): Response {
  const sent = entryWire.safeParse(parseJson(bodyText));
  // The entries come from the portal's pages, which are another origin.
  const open = { 'access-control-allow-origin': '*' };
  if (!sent.success) return json(400, { message: 'The entry cannot be read.' }, open);
  store.atomically(() => {
    const entries = store.collection<SandboxTagEntry>('tag_manager.entries');
    entries.put(randomUUID(), { ...sent.data, sent_at: clock.now() });
    for (const { key } of entries.list().slice(0, -ENTRIES_KEPT)) entries.delete(key);
  });
  return new Response(null, { status: 204, headers: open });
}
