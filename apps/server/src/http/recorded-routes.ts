/** Records every registered route, so that a test can check who can use each one (raw-routes.test.ts). */
import type { FastifyInstance } from 'fastify';

const recordedRoutes = new WeakMap<FastifyInstance, string[]>();

/** Call before the first route is registered. The HEAD route of a GET is not listed. */
export function recordRoutes(app: FastifyInstance): void {
  const routes: string[] = [];
  recordedRoutes.set(app, routes);
  app.addHook('onRoute', ({ method, url }) => {
    for (const verb of [method].flat()) if (verb !== 'HEAD') routes.push(`${verb} ${url}`);
  });
}

/** Lists routes such as "GET /portal/healthz", in order of registration. */
export function listRecordedRoutes(app: FastifyInstance): readonly string[] {
  return recordedRoutes.get(app) ?? [];
}
