/** Hosts all simulators on one local port: one Fastify app in which each simulator is a plugin below its own path. */
import type { AddressInfo } from 'node:net';
import { finished } from 'node:stream/promises';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyPluginAsync, type FastifyReply, type FastifyRequest } from 'fastify';

/** A simulator's routes and their base path, such as "/hmrc". "" receives every request that no other base path matches. */
export type HostedSimulator = { readonly basePath: string; readonly plugin: FastifyPluginAsync };

export type SimulatorHost = {
  /** Base URL without a trailing slash, such as "http://127.0.0.1:4123". */
  readonly url: string;
  close(): Promise<void>;
};

const BODY_LIMIT_BYTES = 5 * 1024 * 1024;
/** Tokens and references in paths may be long. */
const MAX_PARAM_LENGTH = 1_000;

/** Simulators validate requests with zod, so Fastify's schema compilers would only slow down startup. */
function rejectSchemas(): never {
  throw new Error('Routes of simulators have no Fastify schema: check the request with the wire schema of the provider.');
}

/** Listens until closed. Port 0 uses any free port. Rejects if the port is in use. */
export async function startSimulatorHost(simulators: readonly HostedSimulator[], port: number, hostname: string): Promise<SimulatorHost> {
  const app = Fastify({
    bodyLimit: BODY_LIMIT_BYTES,
    forceCloseConnections: true,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_PARAM_LENGTH },
    schemaController: { compilersFactory: { buildValidator: rejectSchemas, buildSerializer: rejectSchemas } },
  });
  storeRawBodies(app);
  sendPlainJson(app);
  app.setErrorHandler(sendError);
  if (simulators.every(({ basePath }) => basePath !== '')) {
    app.setNotFoundHandler((_request, reply) => reply.code(404).send({ message: 'No simulator answers here.' }));
  }
  for (const { basePath, plugin } of simulators) void app.register(plugin, { prefix: basePath });
  await app.listen({ port, host: hostname });
  const address = app.server.address() as AddressInfo;
  return {
    url: `http://${hostname.includes(':') ? `[${hostname}]` : hostname}:${address.port}`,
    close: () => app.close(),
  };
}

/** Simulators verify signatures over the raw body, so nothing is parsed before they see it. */
function storeRawBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
}

/** Removes the charset that Fastify adds to "application/json", because the providers don't send one. */
function sendPlainJson(app: FastifyInstance): void {
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (reply.getHeader('content-type') === 'application/json; charset=utf-8') reply.header('content-type', 'application/json');
    done(null, payload);
  });
}

async function sendError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    // Reads and discards the rest of the body. Otherwise the caller would see a broken connection instead of this response.
    request.raw.resume();
    await finished(request.raw).catch(() => undefined);
    return reply.code(413).send({ message: 'The body is larger than 5 MB.' });
  }
  // Fastify itself rejects these requests as invalid HTTP.
  if (error.code?.startsWith('FST_ERR_') && error.statusCode !== undefined && error.statusCode < 500) {
    return reply.code(error.statusCode).send({ message: error.message });
  }
  // Simulators don't throw for a caller's mistake, so this is a bug in the simulator. The response must not look like the provider's.
  console.error(`simulator failed on ${request.method} ${request.url}`, error);
  return reply.code(500).type('text/plain; charset=utf-8').send('The sandbox itself failed; see its log.\n');
}
