/** Simulates Google Tag Manager: serves a container and records the entries that pages send to it. */
import { randomUUID } from 'node:crypto';
import type { Instant } from '@portal/domain/clock.ts';
import { z } from 'zod';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { readBodyText, searchParams } from '../simulator/request.ts';
import type { SimulatorDeps } from '../simulator/simulator.ts';
import { parseJson } from '@portal/providers/http/parse-json.ts';
import { renderContainerScript } from './container-script.ts';

/** One entry of a page's dataLayer. `at` is the page's path, `entry` the object or gtag's arguments as a list. */
export type SandboxTagEntry = {
  readonly container: string;
  readonly at: string;
  readonly entry: unknown;
  readonly sent_at: Instant;
};

export type TagManagerControls = {
  /** Oldest first. */
  listEntries(): SandboxTagEntry[];
  deleteEntries(): void;
};

export type TagManagerSimulator = { readonly plugin: FastifyPluginAsync; readonly controls: TagManagerControls };

const MAX_STORED_ENTRIES = 1_000;
const CONTAINER_ID_PATTERN = /^GTM-[A-Z0-9]{4,12}$/;
const entryWire = z.object({
  container: z.string().regex(CONTAINER_ID_PATTERN),
  at: z.string().max(500),
  entry: z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())]),
});

export function createTagManagerSimulator(deps: SimulatorDeps): TagManagerSimulator {
  const entries = deps.store.collection<SandboxTagEntry>('tag_manager.entries');
  return {
    plugin: async (app) => {
      app.setNotFoundHandler((_request, reply) => sendNotFound(reply));
      app.get('/gtm.js', (request, reply) => sendContainer(deps, request, reply));
      app.post('/simulator/entries', (request, reply) => storeEntry(deps, request, reply));
    },
    controls: {
      listEntries: () => entries.list().map(({ document }) => document),
      deleteEntries: () => {
        for (const { key } of entries.list()) entries.delete(key);
      },
    },
  };
}

function sendNotFound(reply: FastifyReply): FastifyReply {
  return reply.code(404).type('text/plain;charset=UTF-8').send('Not found');
}

/** Responds with 404 for an unknown container, as Google does. */
function sendContainer({ publicUrl }: SimulatorDeps, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const id = searchParams(request).get('id') ?? '';
  if (!CONTAINER_ID_PATTERN.test(id)) return sendNotFound(reply);
  return reply
    .headers({ 'content-type': 'application/javascript; charset=utf-8', 'cache-control': 'no-store' })
    .send(renderContainerScript(`${publicUrl}/simulator/entries`, id));
}

function storeEntry({ store, clock }: SimulatorDeps, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // The portal's pages that send the entries have a different origin.
  reply.header('access-control-allow-origin', '*');
  const parsedEntry = entryWire.safeParse(parseJson(readBodyText(request)));
  if (!parsedEntry.success) return reply.code(400).send({ message: 'The entry cannot be read.' });
  store.atomically(() => {
    const entries = store.collection<SandboxTagEntry>('tag_manager.entries');
    entries.put(randomUUID(), { ...parsedEntry.data, sent_at: clock.now() });
    for (const { key } of entries.list().slice(0, -MAX_STORED_ENTRIES)) entries.delete(key);
  });
  return reply.code(204).send();
}
