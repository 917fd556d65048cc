/** Sends a file that is written while it is read. Each can take the processor for seconds, so a user's files are sent one at a time. */
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { AuthoriseSettings } from './authorise.ts';
import { runOneAtATime } from './person-queue.ts';
import { recheckAccess, type AuthorisedRequest } from './recheck-access.ts';
import { getActingUserId } from './session.ts';

/** For HEAD, Fastify would write the whole file after the response, without anyone reading it. */
export const STREAM_ROUTE = { exposeHeadRoute: false } as const;

const RECHECK_MS = 1_000;

/**
 * `prepare` sets the response's headers and returns the file. Holds the user's place until the response has been sent or cut off. Access is
 * checked again after waiting for the place and while the file is sent, because a slow reader decides how long both take.
 */
export function sendStream(
  settings: AuthoriseSettings,
  reply: FastifyReply,
  authorised: Omit<AuthorisedRequest, 'request'>,
  prepare: () => Promise<AsyncIterable<string | Uint8Array>>,
): Promise<FastifyReply> {
  const recheck = (): Promise<void> => recheckAccess(settings, { ...authorised, request: reply.request });
  return runOneAtATime(`stream:${getActingUserId(authorised.actor)}`, async () => {
    await recheck();
    const file = recheckWhileSent(await prepare(), recheck);
    // A reply is a promise of its end.
    return reply.header('cache-control', 'no-store').send(Readable.from(file, { objectMode: false }));
  });
}

async function* recheckWhileSent<Chunk>(file: AsyncIterable<Chunk>, recheck: () => Promise<void>): AsyncGenerator<Chunk> {
  let checkedAt = performance.now();
  for await (const chunk of file) {
    if (performance.now() - checkedAt >= RECHECK_MS) {
      await recheck();
      checkedAt = performance.now();
    }
    yield chunk;
  }
}
