/** Serves the control pages and calls, and keeps web pages of other origins from pressing their buttons. */
import { AppError, type ErrorKind } from '@portal/domain/app-error.ts';
import { findRoute, type Simulator, type SimulatorCall } from '../simulator/simulator.ts';
import { json } from '../simulator/responses.ts';
import { ControlInputError, refuse, wantsPage, type ControlRoute } from './control-call.ts';
import { h } from './markup.ts';
import { page } from './page.ts';

/** The levers of the doubles refuse in the product's words. */
const STATUSES: Readonly<Partial<Record<ErrorKind, number>>> = { notFound: 404, conflict: 409, upstream: 502 };

export function createControlSimulator(routes: readonly ControlRoute[]): Simulator {
  return {
    fetch: async (request) => {
      const url = new URL(request.url);
      const found = findRoute(routes, '', request.method === 'HEAD' ? 'GET' : request.method, url.pathname);
      const call: SimulatorCall = { request, url, params: found?.params ?? {}, bodyText: await request.text() };
      if (!found) return notFound(call);
      if (isForeign(call))
        return refuse(call, 403, 'origin', 'The sandbox is controlled from its own pages and from scripts, not from other websites.');
      try {
        return await found.route.answer(call);
      } catch (error) {
        if (error instanceof ControlInputError) return refuse(call, 400, error.field, error.message);
        if (error instanceof AppError && error.kind !== 'bug') return refuse(call, STATUSES[error.kind] ?? 400, error.code, error.message);
        throw error;
      }
    },
  };
}

/** Loopback is reachable for every page open in the same browser; browsers say where a request comes from, scripts do not. */
function isForeign({ request, url }: SimulatorCall): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return false;
  const site = request.headers.get('sec-fetch-site');
  if (site !== null) return site !== 'same-origin' && site !== 'none';
  const origin = request.headers.get('origin');
  return origin !== null && origin !== url.origin;
}

function notFound(call: SimulatorCall): Response {
  if (!wantsPage(call)) return json(404, { error: { field: 'path', message: 'Nothing is here; the list of calls is at /.' } });
  return page(call, 404, 'Nothing is here', h`<p>There is no such page in the sandbox. <a href="/">The overview</a> lists everything.</p>`);
}
