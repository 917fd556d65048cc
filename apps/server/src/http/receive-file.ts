/**
 * A file sent as the body of a POST: read once, as a stream, by the handler that knows its format. It is stored on disk first, so that slow
 * senders use up neither memory nor one of the two slots for parsing files (parse-file.ts).
 */
import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished, pipeline } from 'node:stream/promises';
import type { Access, Endpoint } from '@portal/contract/endpoint.ts';
import { AppError } from '@portal/domain/app-error.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { assertSameOrigin } from './same-origin.ts';
import { parseFile } from './parse-file.ts';
import { runOneAtATime } from './person-queue.ts';
import { authorise } from './authorise.ts';
import { recheckAccess } from './recheck-access.ts';
import type { TenantFor, WithoutTenant } from './resolve-tenant.ts';
import { type ServeSettings } from './serve-contract.ts';
import type { Actor } from './session.ts';

/** File uploads always need a session. */
type FileAccess = Exclude<Access, 'public'>;

/** The limit per user and IP address in 15 minutes. */
const MAX_UPLOADS = 120;

/** The limit for bodies received concurrently by this process, because they are stored on a disk that may be small. */
const MAX_STORED_BYTES = 192 * 1024 * 1024;
let storedBytes = 0;

type ReceivedFile<Query, Rule extends FileAccess> = {
  readonly query: WithoutTenant<Query, Rule>;
  readonly tenant: TenantFor<Rule>;
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly actor: Actor;
  readonly ip: string;
};

type FileRoute<Query, Rule extends FileAccess> = Pick<Endpoint, 'path'> & {
  readonly access: Rule;
  readonly query: z.core.$ZodType<Query>;
  readonly maxFileBytes: number;
  readonly tooLarge: { readonly code: string; readonly advice: string };
  /** The response body, sent with status 201. */
  readonly handle: (file: ReceivedFile<Query, Rule>) => Promise<unknown>;
};

export async function receiveFile<Query, Rule extends FileAccess>(
  app: FastifyInstance,
  settings: ServeSettings,
  route: FileRoute<Query, Rule>,
): Promise<void> {
  const { path, access, maxFileBytes, tooLarge } = route;
  const createTooLargeError = (): AppError => {
    const sentence = `The file is larger than ${maxFileBytes / 1024 / 1024} MB. ${tooLarge.advice}`;
    return new AppError('tooLarge', tooLarge.code, sentence, { field: 'file' });
  };
  await app.register(async (scope) => {
    acceptStreams(scope);
    scope.post(`/portal${path}`, { bodyLimit: maxFileBytes }, async (request, reply) => {
      assertSameOrigin(request);
      const { actor, tenant } = await authorise<FileAccess>(settings, { access }, request, request.query);
      await settings.limitPerPerson(actor.userId, path, MAX_UPLOADS);
      const query = z.parse(route.query, request.query);
      // Rejects a file whose declared size is too large before reading it.
      if (Number(request.headers['content-length'] ?? 0) > maxFileBytes) throw createTooLargeError();
      // The limit covers storing the file too, so a user's files arrive one at a time.
      const result = await runOneAtATime(actor.userId, () =>
        readBody(request, { maxFileBytes, createTooLargeError }, async (bytes) => {
          await recheckAccess(settings, { access, request, actor, tenant });
          return route.handle({ query, tenant: tenant as TenantFor<Rule>, bytes, actor, ip: request.ip });
        }),
      );
      return reply.status(201).send(result);
    });
  });
}

/** Leaves the body as a stream, whatever its content type. */
export function acceptStreams(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _body, done) => done(null));
}

/**
 * Stores the body and passes it to the handler once it is complete. If it is too large, reads and discards the rest before sending the
 * error: browsers only read the response after sending everything, so with an unread body they would hang until the connection breaks and
 * never show the reason.
 */
export async function readBody<Answer>(
  { raw }: Pick<FastifyRequest, 'raw'>,
  { maxFileBytes, createTooLargeError }: { readonly maxFileBytes: number; readonly createTooLargeError: () => AppError },
  handle: (bytes: AsyncIterable<Uint8Array>) => Promise<Answer>,
): Promise<Answer> {
  let readBytes = 0;
  let byteCount = 0;
  async function* limited(): AsyncGenerator<Uint8Array> {
    for await (const chunk of raw.iterator({ destroyOnReturn: false })) {
      readBytes += chunk.byteLength;
      if (readBytes > maxFileBytes) throw createTooLargeError();
      storedBytes += chunk.byteLength;
      byteCount += chunk.byteLength;
      if (storedBytes > MAX_STORED_BYTES) throw createBusyError();
      yield chunk;
    }
  }
  const file = join(tmpdir(), `portal-upload-${randomUUID()}`);
  try {
    // Readable only by the server's account, because it is a customer's file.
    await pipeline(limited(), createWriteStream(file, { flags: 'wx', mode: 0o600 })).catch(async (error: unknown) => {
      await discardRest(raw, 2 * maxFileBytes - readBytes);
      throw error;
    });
    return await parseFile(async () => {
      // The sender is no longer waiting for the response.
      if (raw.socket.destroyed)
        throw new AppError('invalid', 'request.sender_left', 'The browser closed the connection. Send the file again.');
      return handle(createReadStream(file));
    });
  } finally {
    storedBytes -= byteCount;
    await rm(file, { force: true });
  }
}

function createBusyError(): AppError {
  const sentence = 'Too many files are being uploaded right now. Try again in a minute.';
  return new AppError('tooMany', 'request.uploads_busy', sentence, { field: 'file' });
}

/** Discards at most `maxBytes`, then closes the connection. */
async function discardRest(raw: FastifyRequest['raw'], maxBytes: number): Promise<void> {
  let discardedBytes = 0;
  raw.on('data', (chunk: Uint8Array) => {
    discardedBytes += chunk.byteLength;
    if (discardedBytes > maxBytes) raw.destroy();
  });
  // A sender who has disconnected won't read the response, so the reason doesn't matter.
  await finished(raw, { writable: false }).catch(() => undefined);
}
