/**
 * `/portal/metrics` for Prometheus. Only a process on this computer, or a caller that knows METRICS_TOKEN, can read it; for everyone else,
 * the page doesn't exist.
 */
import { hash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Metrics } from '../observability/metrics.ts';

export const METRICS_PATH = '/portal/metrics';

/** A proxy on this computer also connects from loopback, but adds at least one of these. */
const PROXY_HEADERS = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via'];

export type MetricsSettings = {
  readonly token: string | undefined;
  /** Updates the figures from the database. Never throws: a figure that can't be read is counted and left out. */
  readonly readDatabase: () => Promise<void>;
};

export function serveMetrics(
  app: FastifyInstance,
  { registry }: Pick<Metrics, 'registry'>,
  { token, readDatabase }: MetricsSettings,
): void {
  app.get(METRICS_PATH, async (request, reply) => {
    if (!isFromThisComputer(request) && !hasToken(request, token)) {
      reply.callNotFound();
      return reply;
    }
    await readDatabase();
    return reply
      .header('cache-control', 'no-store')
      .type(registry.contentType)
      .send(await registry.metrics());
  });
}

/** Checks the connection's own address, because `request.ip` may be one that a proxy forwards. */
function isFromThisComputer({ socket, headers }: FastifyRequest): boolean {
  if (PROXY_HEADERS.some((name) => headers[name] !== undefined)) return false;
  const address = (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  return address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
}

/** All digests have the same length, so the comparison takes the same time for every guess. */
function hasToken({ headers }: FastifyRequest, token: string | undefined): boolean {
  const [, sentToken] = /^Bearer ([^ ]+)$/.exec(headers.authorization ?? '') ?? [];
  if (token === undefined || sentToken === undefined) return false;
  return timingSafeEqual(hash('sha256', sentToken, 'buffer'), hash('sha256', token, 'buffer'));
}
