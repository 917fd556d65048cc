/** Sends a file that is written while it is read. Each can take the processor for seconds, so a user's files are sent one at a time. */
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { runOneAtATime } from './person-queue.ts';

/** For HEAD, Fastify would write the whole file after the response, without anyone reading it. */
export const STREAM_ROUTE = { exposeHeadRoute: false } as const;

/** `prepare` sets the response's headers and returns the file. Holds the user's place until the response has been sent or cut off. */
export function sendStream(
  reply: FastifyReply,
  userId: string,
  prepare: () => Promise<AsyncIterable<string | Uint8Array>>,
): Promise<FastifyReply> {
  return runOneAtATime(`stream:${userId}`, async () => {
    const file = await prepare();
    // A reply is a promise of its end.
    return reply.header('cache-control', 'no-store').send(Readable.from(file, { objectMode: false }));
  });
}
