/**
 * The security headers from Helmet, computed once: computing the policy for every response took a tenth of a dashboard request's time.
 * Pages and files get all of them. JSON responses, which browsers don't render, get only those that apply, and a policy that allows
 * nothing.
 */
import { createHash } from 'node:crypto';
import fastifyHelmet from '@fastify/helmet';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Site } from '../app-deps.ts';

export async function sendSecurityHeaders(app: FastifyInstance, site: Site): Promise<void> {
  const headers = await computeHeaders(site);
  const apiHeaders = {
    ...Object.fromEntries(Object.entries(headers).filter(([name]) => API_HEADERS.has(name))),
    'content-security-policy': API_POLICY,
  };
  app.addHook('onRequest', (request, reply, next) => {
    reply.headers(request.routeOptions.config.isCall ? apiHeaders : headers);
    next();
  });
}

const STYLE_SOURCES = /(?<=style-src )[^;]*/;

/** Lists the sources that allow a document's own style elements. */
export function listStyleHashes(html: string): string[] {
  const styles = [...html.matchAll(/<style>(.*?)<\/style>/gs)].map(([, css = '']) => css);
  return unique(styles.map((css) => `'sha256-${createHash('sha256').update(css).digest('base64')}'`));
}

/**
 * Returns the policy for one document. If a third party needs inline styles, doesn't add hashes, because they would disable that exception.
 */
export function allowStyles(policy: string, hashes: readonly string[]): string {
  return policy.replace(STYLE_SOURCES, (sources) => (sources.includes(UNSAFE_INLINE) ? sources : [sources, ...hashes].join(' ')));
}

/** Takes Helmet's headers from one response of a server that never listens. None of them depends on the request. */
async function computeHeaders(site: Site): Promise<Record<string, string>> {
  const probe = Fastify();
  await probe.register(fastifyHelmet, createHelmetOptions(site));
  probe.get('/', (_request, reply) => reply.status(204).send());
  const { headers } = await probe.inject('/');
  await probe.close();
  return Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (PROBE_HEADERS.has(name) ? [] : [[name, String(value)]])));
}

/** Allows every inline style. */
export const UNSAFE_INLINE = "'unsafe-inline'";

declare module 'fastify' {
  interface FastifyContextConfig {
    /** An endpoint of the contract, which returns JSON. */
    isCall?: boolean;
    /** A file of the web app. There are hundreds of these, so the metrics count them as one route. */
    isFile?: boolean;
    /** A stream stays open, so its duration is meaningless. */
    isStream?: boolean;
  }
}

const API_HEADERS: ReadonlySet<string> = new Set(['x-content-type-options', 'strict-transport-security', 'cross-origin-resource-policy']);

/** OWASP ASVS 5.0, 3.4.3 and 3.4.6: every response has a policy and specifies who may frame it. */
const API_POLICY = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'";

/** Headers that belong to the probe's own response. */
const PROBE_HEADERS: ReadonlySet<string> = new Set(['date', 'connection', 'content-length', 'content-type']);

function createHelmetOptions(site: Site): Parameters<typeof fastifyHelmet>[1] {
  const isSecure = site.publicUrl.startsWith('https:');
  // A third party's script is allowed only if it is configured, through its hosts. Inline scripts are never allowed.
  const thirdParties = [site.chat, site.analytics].flatMap((script) => script?.sources ?? []);
  const frames = thirdParties.flatMap(({ frame }) => frame);
  return {
    contentSecurityPolicy: {
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...unique(thirdParties.flatMap(({ script }) => script))],
        // A document's own style elements are allowed by their hashes (allowStyles).
        styleSrc: ["'self'", ...unique(thirdParties.flatMap(({ style }) => style))],
        // The prerendered pages set the widths of placeholders and bars in style attributes. Styles set by our scripts don't need an
        // exception.
        styleSrcAttr: [UNSAFE_INLINE],
        imgSrc: ["'self'", 'data:', ...unique(thirdParties.flatMap(({ img }) => img))],
        fontSrc: ["'self'"],
        connectSrc: ["'self'", ...unique(thirdParties.flatMap(({ connect }) => connect))],
        ...(frames.length > 0 ? { frameSrc: unique(frames) } : {}),
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
        formAction: ["'self'"],
        upgradeInsecureRequests: isSecure ? [] : null,
      },
    },
    strictTransportSecurity: isSecure,
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'same-origin' },
  };
}

/** The chat and the container can have the same origin, namely the sandbox's. */
function unique(sources: readonly string[]): string[] {
  return [...new Set(sources)];
}
