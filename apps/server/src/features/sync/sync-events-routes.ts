/**
 * Progress of refreshes and imports as server-sent events (contract/file-calls.ts). Read from the database, so any instance can serve it.
 */
import { AGENT_TAXES } from '@portal/domain/uk-tax/tax.ts';
import { FILE_CALLS } from '@portal/contract/file-calls.ts';
import { AppError } from '@portal/domain/app-error.ts';
import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '../../app-deps.ts';
import { authorise } from '../../http/authorise.ts';
import { type ServeSettings } from '../../http/serve-contract.ts';
import { refusalOf } from '../../http/policies.ts';
import type { Actor } from '../../http/session.ts';
import { tellFetching } from '../client-imports/tell-fetching.ts';
import { createStreamSeats, openEventStream, type EventStream } from './event-stream.ts';
import { findRefreshing, getAccountantConnections } from './sync-queries.ts';

const LOOK_MS = 1_000;
/** Imports and connections change rarely, so they are read every fifth time. A running import is read every time. */
const SELDOM_LOOKS = 5;
/** Keeps proxies from closing an idle stream. */
const BEAT_MS = 10_000;
const CALL = FILE_CALLS.sync.events;

export function serveSyncEvents(app: FastifyInstance, deps: AppDeps, settings: ServeSettings): void {
  const streams = new Set<EventStream>();
  const seats = createStreamSeats();
  // A stream never ends by itself, and a stopping server waits for its requests.
  app.addHook('preClose', (done) => {
    for (const stream of streams) stream.end();
    done();
  });
  app.get(`/portal${CALL.path}`, async (request, reply) => {
    const { actor, tenant, sessionToken } = await authorise(settings, CALL, request, request.query);
    const companyId = tenant.practiceId;
    if (sessionToken === undefined) return;
    const leave = seats.take(actor.userId);
    if (!leave) {
      throw new AppError(
        'tooMany',
        'sync.too_many_streams',
        'Progress is followed in too many windows at once. Close some of them; this one asks every few seconds meanwhile.',
      );
    }
    reply.hijack();
    const stream = openEventStream(reply.raw);
    streams.add(stream);
    try {
      await follow(deps, companyId, stream, async () => {
        const now = await settings.checkSession(sessionToken, companyId);
        return refusalOf(CALL.access, now) === undefined ? now : undefined;
      });
    } catch (error) {
      // The head has been sent, so no error response is possible. The browser reconnects by itself.
      deps.logger.error({ err: error, request_id: request.id }, 'a progress stream failed');
    } finally {
      leave();
      streams.delete(stream);
      stream.end();
    }
  });
}

/** Starts with the full state, so a reconnecting browser has nothing to catch up with and Last-Event-ID is not needed. */
async function follow(deps: AppDeps, companyId: string, stream: EventStream, findActor: () => Promise<Actor | undefined>): Promise<void> {
  const { signal } = stream;
  const said = new Map<string, string>();
  const say = async (event: string, data: unknown): Promise<void> => {
    const text = JSON.stringify(data);
    if (text === said.get(event)) return;
    said.set(event, text);
    await stream.event(event, text);
  };
  let beatAt = performance.now();
  let isImporting = false;
  for (let look = 0; !signal.aborted; look += 1) {
    // Checked before every update, so that somebody who logged out or left the practice receives nothing more.
    const actor = await findActor();
    if (!actor) return stream.event('signed_out', '{}');
    const progress = [];
    for (const tax of AGENT_TAXES) progress.push(await findRefreshing(deps.database.db, companyId, tax, actor));
    await say('progress', progress);
    if (look % SELDOM_LOOKS === 0) await say('connections', await getAccountantConnections(deps.database.db, companyId));
    // Only admins import clients (docs/product/decisions.md section 3), so only they see the progress of imports.
    if (actor.role === 'practice_admin' && (isImporting || look % SELDOM_LOOKS === 0)) {
      const fetching = await tellFetching(deps, companyId);
      isImporting = fetching.state === 'importing';
      await say('fetching', fetching);
    }
    if (performance.now() - beatAt >= BEAT_MS) {
      beatAt = performance.now();
      await stream.send(': still here\n\n');
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
