/**
 * Progress of refreshes and imports as server-sent events (contract/sync.ts). Read from the database, so that any instance can serve it.
 */
import { AGENT_TAXES } from '@portal/domain/uk-tax/tax.ts';
import { FILE_ENDPOINTS } from '@portal/contract/file-endpoints.ts';
import { AppError } from '@portal/domain/app-error.ts';
import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '../../app-deps.ts';
import { authorise } from '../../http/authorise.ts';
import { type ServeSettings } from '../../http/serve-contract.ts';
import { findAccessError } from '../../http/policies.ts';
import { getActingUserId, type Actor } from '../../http/session.ts';
import { getImportProgress } from '../client-imports/get-import-progress.ts';
import { createStreamLimiter, openEventStream, type EventStream } from './event-stream.ts';
import { getRefreshStatus } from './refresh-progress.ts';
import { getAccountantConnections } from './sync-queries.ts';

const POLL_MS = 1_000;
/** Imports and connections change rarely, so they are read every fifth time. A running import is read every time. */
const SLOW_POLL_EVERY = 5;
/** Keeps proxies from closing an idle stream. */
const HEARTBEAT_MS = 10_000;
const ENDPOINT = FILE_ENDPOINTS.sync.events;

export function serveSyncEvents(app: FastifyInstance, deps: AppDeps, settings: ServeSettings): void {
  const streams = new Set<EventStream>();
  const streamLimiter = createStreamLimiter();
  // End the streams before the server stops, because it waits for open requests, and a stream never ends of its own accord.
  app.addHook('preClose', (done) => {
    for (const stream of streams) stream.end();
    done();
  });
  app.get(`/portal${ENDPOINT.path}`, { config: { isStream: true } }, async (request, reply) => {
    const { actor, tenant, sessionToken } = await authorise(settings, { ...ENDPOINT, needsSession: true }, request, request.query);
    const companyId = tenant.practiceId;
    if (sessionToken === undefined) return;
    const release = streamLimiter.acquire(getActingUserId(actor));
    if (!release) {
      throw new AppError(
        'tooMany',
        'sync.too_many_streams',
        'You have this page open in too many windows. Close some of them. Until you do, this window checks for progress every few seconds.',
      );
    }
    reply.hijack();
    const stream = openEventStream(reply.raw, { headers: reply.getHeaders() });
    streams.add(stream);
    try {
      await sendProgress(deps, companyId, stream, async () => {
        // An open page isn't use of the session, so the check doesn't keep it alive.
        const now = await settings.checkSession(sessionToken, companyId, true);
        return findAccessError(ENDPOINT.access, now) === undefined ? now : undefined;
      });
    } catch (error) {
      // The response head has been sent, so an error response is no longer possible. The browser reconnects automatically.
      deps.logger.error({ err: error, request_id: request.id }, 'a progress stream failed');
    } finally {
      release();
      streams.delete(stream);
      stream.end();
    }
  });
}

/** Starts with the full state, so a reconnecting browser has nothing to catch up on and Last-Event-ID isn't needed. */
async function sendProgress(
  deps: AppDeps,
  companyId: string,
  stream: EventStream,
  findActor: () => Promise<Actor | undefined>,
): Promise<void> {
  const { signal } = stream;
  const lastSent = new Map<string, string>();
  const sendIfChanged = async (event: string, data: unknown): Promise<void> => {
    const dataJson = JSON.stringify(data);
    if (dataJson === lastSent.get(event)) return;
    lastSent.set(event, dataJson);
    await stream.event(event, dataJson);
  };
  let lastHeartbeatAt = performance.now();
  let isImporting = false;
  for (let poll = 0; !signal.aborted; poll += 1) {
    // Check access before every update, so that someone who has logged out or left the practice receives nothing more.
    const actor = await findActor();
    if (!actor) return stream.event('signed_out', '{}');
    const progress = [];
    for (const tax of AGENT_TAXES) progress.push(await getRefreshStatus(deps, companyId, tax, actor));
    await sendIfChanged('progress', progress);
    if (poll % SLOW_POLL_EVERY === 0) await sendIfChanged('connections', await getAccountantConnections(deps.database.db, companyId));
    // Only admins import clients (docs/product/decisions.md section 3), so only they see import progress.
    if (actor.role === 'practice_admin' && (isImporting || poll % SLOW_POLL_EVERY === 0)) {
      const importProgress = await getImportProgress(deps, companyId);
      isImporting = importProgress.state === 'importing';
      await sendIfChanged('fetching', importProgress);
    }
    if (performance.now() - lastHeartbeatAt >= HEARTBEAT_MS) {
      lastHeartbeatAt = performance.now();
      await stream.send(': still here\n\n');
    }
    await waitFor(POLL_MS, signal);
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
