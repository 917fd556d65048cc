/** Every route as it was registered, so that a test can ask of each one who may call it (raw-routes.test.ts). */
import type { FastifyInstance } from 'fastify';

const recorded = new WeakMap<FastifyInstance, string[]>();

/** Before the first route is registered. A GET's HEAD goes with it and is not named. */
export function recordRoutes(app: FastifyInstance): void {
  const routes: string[] = [];
  recorded.set(app, routes);
  app.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) if (one !== 'HEAD') routes.push(`${one} ${url}`);
  });
}

/** "GET /portal/healthz", in the order of registration. */
export function recordedRoutesOf(app: FastifyInstance): readonly string[] {
  return recorded.get(app) ?? [];
}
