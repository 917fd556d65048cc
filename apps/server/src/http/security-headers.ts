/**
 * The security headers: Helmet's, worked out once, because writing its policy anew cost a tenth of a dashboard call.
 * Pages and files carry all of them; the JSON of calls, which no browser renders, those that mean something for it.
 */
import fastifyHelmet from '@fastify/helmet';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Site } from '../app-deps.ts';

export async function sendSecurityHeaders(app: FastifyInstance, site: Site): Promise<void> {
  const headers = await headersOf(site);
  const forCalls = Object.fromEntries(Object.entries(headers).filter(([name]) => FOR_CALLS.has(name)));
  app.addHook('onRequest', (request, reply, next) => {
    reply.headers(request.routeOptions.config.isCall ? forCalls : headers);
    next();
  });
}

/** Asks Helmet by one answer of a server that never listens; none of its headers depends on the request. */
async function headersOf(site: Site): Promise<Record<string, string>> {
  const probe = Fastify();
  await probe.register(fastifyHelmet, helmetOptions(site));
  probe.get('/', (_request, reply) => reply.status(204).send());
  const { headers } = await probe.inject('/');
  await probe.close();
  return Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (OWN.has(name) ? [] : [[name, String(value)]])));
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A call of the contract, answered with JSON. */
    isCall?: boolean;
  }
}

const FOR_CALLS: ReadonlySet<string> = new Set(['x-content-type-options', 'strict-transport-security', 'cross-origin-resource-policy']);

/** Headers of the probe's own answer. */
const OWN: ReadonlySet<string> = new Set(['date', 'connection', 'content-length', 'content-type']);

function helmetOptions(site: Site): Parameters<typeof fastifyHelmet>[1] {
  const secure = site.publicUrl.startsWith('https:');
  // Another company's script is let in only where it is set up, by its hosts; inline scripts never are.
  const others = [site.chat, site.analytics].flatMap((script) => script?.sources ?? []);
  const frames = others.flatMap(({ frame }) => frame);
  return {
    contentSecurityPolicy: {
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...unique(others.flatMap(({ script }) => script))],
        // Emotion, which MUI stands on, writes its rules into style elements; scripts have no such allowance.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', ...unique(others.flatMap(({ img }) => img))],
        fontSrc: ["'self'"],
        connectSrc: ["'self'", ...unique(others.flatMap(({ connect }) => connect))],
        ...(frames.length > 0 ? { frameSrc: unique(frames) } : {}),
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
        formAction: ["'self'"],
        upgradeInsecureRequests: secure ? [] : null,
      },
    },
    strictTransportSecurity: secure,
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'same-origin' },
  };
}

/** Chat and container can stand at one origin: the sandbox's. */
function unique(sources: readonly string[]): string[] {
  return [...new Set(sources)];
}
