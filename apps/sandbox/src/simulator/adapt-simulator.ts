/** Lets a simulator that is not yet a Fastify plugin answer through one. It goes with the last of them. */
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { CUT_CONNECTION, CUT_HALFWAY, STATUS_MEANT } from './faults.ts';
import { bodyText, requestUrl } from './request.ts';
import type { Simulator } from './simulator.ts';

/** Not-found handler: it gets whatever no route takes, with any method. */
export function adaptSimulator(simulator: Simulator): FastifyPluginAsync {
  return async (app) => {
    app.setNotFoundHandler(async (request, reply) => {
      const response = await simulator.fetch(toWebRequest(request));
      if (response.status === CUT_CONNECTION) {
        reply.hijack();
        request.raw.socket.destroy();
        return reply;
      }
      if (response.status === CUT_HALFWAY) return sendHalf(response, reply);
      return sendWebResponse(response, reply, request.method === 'HEAD');
    });
  };
}

function toWebRequest(request: FastifyRequest): Request {
  const headers = new Headers();
  const { rawHeaders } = request.raw;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
  const body = bodyText(request);
  return new Request(requestUrl(request), { method: request.method, headers, ...(body === '' ? {} : { body }) });
}

async function sendWebResponse(response: Response, reply: FastifyReply, withoutBody: boolean): Promise<FastifyReply> {
  reply.code(response.status);
  for (const [name, value] of response.headers) if (name !== 'set-cookie') reply.header(name, value);
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) reply.header('set-cookie', cookies);
  return withoutBody || response.body === null ? reply.send() : reply.send(Buffer.from(await response.arrayBuffer()));
}

async function sendHalf(response: Response, reply: FastifyReply): Promise<FastifyReply> {
  const body = new Uint8Array(await response.arrayBuffer());
  const type = response.headers.get('content-type') ?? 'application/json';
  reply.hijack();
  reply.raw.writeHead(Number(response.headers.get(STATUS_MEANT)), { 'content-type': type, 'content-length': body.byteLength + 1 });
  reply.raw.write(body.subarray(0, Math.ceil(body.byteLength / 2)), () => reply.raw.destroy());
  return reply;
}
