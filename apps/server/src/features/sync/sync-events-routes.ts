/**
 * GET /portal/open-tax/sync-events?company_id: the progress of refreshes as server-sent events, from the database, so that it does not matter which
 * instance reads. `progress` carries what the contract calls syncProgress, whenever it has changed; `signed_out` is the last word of a session that ended.
 */
import { companyInput } from '@portal/contract/scalars.ts';
import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '../../app-deps.ts';
import { authorise, type ServeSettings } from '../../http/serve-contract.ts';
import { refusalOf } from '../../http/policies.ts';
import type { Actor } from '../../http/session.ts';
import { findRefreshing } from './sync-queries.ts';

export const SYNC_EVENTS_PATH = '/portal/open-tax/sync-events';

const LOOK_MS = 1_000;
/** Keeps proxies from closing a quiet stream, and finds sessions that ended. */
const BEAT_MS = 10_000;
const ACCESS = { access: 'practice.read' } as const;

export function serveSyncEvents(app: FastifyInstance, deps: AppDeps, settings: ServeSettings): void {
  const streams = new Set<() => void>();
  // A stream never ends by itself, and a stopping server waits for its requests.
  app.addHook('preClose', (done) => {
    for (const end of streams) end();
    done();
  });
  app.get(SYNC_EVENTS_PATH, async (request, reply) => {
    const { actor, sessionToken } = await authorise(settings, ACCESS, request, request.query);
    const { company_id: companyId } = companyInput.parse(request.query);
    if (!actor || sessionToken === undefined) return;
    reply.hijack();
    reply.raw.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      // nginx would gather the events otherwise.
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    });
    const stop = new AbortController();
    const end = (): void => stop.abort();
    streams.add(end);
    reply.raw.on('close', end);
    const isStillAllowed = async (): Promise<Actor | undefined> => {
      const now = await settings.checkSession(sessionToken, companyId);
      return refusalOf(ACCESS.access, now) === undefined ? now : undefined;
    };
    try {
      await follow(deps, companyId, actor, (text) => reply.raw.write(text), isStillAllowed, stop.signal);
    } catch (error) {
      // The browser connects again by itself; the head is sent, so nobody else can be told.
      deps.logger.error({ err: error, request_id: request.id }, 'a stream of progress broke');
    } finally {
      streams.delete(end);
      reply.raw.end();
    }
  });
}

async function follow(
  deps: AppDeps,
  companyId: string,
  first: Actor,
  write: (text: string) => void,
  isStillAllowed: () => Promise<Actor | undefined>,
  signal: AbortSignal,
): Promise<void> {
  let actor = first;
  let said = '';
  let beatAt = performance.now();
  while (!signal.aborted) {
    const progress = [];
    for (const tax of ['vat', 'sa'] as const) progress.push(await findRefreshing(deps.database.db, companyId, tax, actor));
    const text = JSON.stringify(progress);
    if (text !== said) write(`event: progress\ndata: ${text}\n\n`);
    said = text;
    if (performance.now() - beatAt >= BEAT_MS) {
      beatAt = performance.now();
      const now = await isStillAllowed();
      if (!now) {
        write('event: signed_out\ndata: {}\n\n');
        return;
      }
      actor = now;
      write(': still here\n\n');
    }
    await waitFor(LOOK_MS, signal);
  }
}

function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });
}
