/**
 * A double: a stateful stand-in for one provider that speaks its wire format over real HTTP.
 * It is written against web-standard Request and Response, so that `apps/sandbox` and the tests host it alike.
 */
import type { Clock } from '@portal/domain/clock.ts';
import type { SimulatorStore } from './simulator-store.ts';
import type { Faults } from './faults.ts';

/** What a double stands on. `publicUrl` is where the world reaches it, without a trailing slash: "http://localhost:3001/hmrc". */
export type SimulatorDeps = {
  readonly store: SimulatorStore;
  readonly clock: Clock;
  readonly faults: Faults;
  readonly publicUrl: string;
};

/** Answers one request; the path of `request.url` starts with the path of `publicUrl`. Never throws for a caller's mistake. */
export type Simulator = { fetch(request: Request): Promise<Response> };

/** One call a double answers. `:name` in the path is a parameter, handed over percent-decoded. */
export type SimulatorRoute = {
  readonly method: string;
  readonly path: string;
  readonly answer: (call: SimulatorCall) => Response | Promise<Response>;
};

/** A request, read once: `bodyText` is the raw body as sent (signatures are checked over it). */
export type SimulatorCall = {
  readonly request: Request;
  readonly url: URL;
  readonly params: Readonly<Record<string, string>>;
  readonly bodyText: string;
};

/** Finds the route for a request below `basePath`, or undefined. A trailing slash is tolerated. */
export function findRoute<Route extends Pick<SimulatorRoute, 'method' | 'path'>>(
  routes: readonly Route[],
  basePath: string,
  method: string,
  pathname: string,
): { route: Route; params: Record<string, string> } | undefined {
  if (!pathname.startsWith(basePath)) return undefined;
  const segments = pathname.slice(basePath.length).replace(/\/+$/, '').split('/');
  for (const route of routes) {
    if (route.method !== method) continue;
    const params = matchSegments(route.path.replace(/\/+$/, '').split('/'), segments);
    if (params) return { route, params };
  }
  return undefined;
}

function matchSegments(pattern: string[], segments: string[]): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index] ?? '';
    if (!part.startsWith(':')) {
      if (part !== segment) return undefined;
      continue;
    }
    try {
      params[part.slice(1)] = decodeURIComponent(segment);
    } catch {
      return undefined;
    }
  }
  return params;
}
