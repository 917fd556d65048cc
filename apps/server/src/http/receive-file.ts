/** A file sent as the body of a POST: read as a stream, once, by whoever knows its format. */
import { finished } from 'node:stream/promises';
import type { Access, Endpoint } from '@portal/contract/endpoint.ts';
import { AppError } from '@portal/domain/app-error.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { refuseOtherOrigins } from './same-origin.ts';
import { authorise } from './authorise.ts';
import type { TenantOf, WithoutTenant } from './resolve-tenant.ts';
import { type ServeSettings } from './serve-contract.ts';
import type { Actor } from './session.ts';

/** Nobody uploads a file without a session. */
type FileAccess = Exclude<Access, 'public'>;

type ReceivedFile<Query, Rule extends FileAccess> = {
  readonly query: WithoutTenant<Query, Rule>;
  readonly tenant: TenantOf<Rule>;
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly actor: Actor;
  readonly ip: string;
};

type FileRoute<Query, Rule extends FileAccess> = Pick<Endpoint, 'path'> & {
  readonly access: Rule;
  readonly query: z.ZodType<Query>;
  readonly limitBytes: number;
  readonly tooLarge: { readonly code: string; readonly mend: string };
  /** What is answered, with 201. */
  readonly take: (file: ReceivedFile<Query, Rule>) => Promise<unknown>;
};

export async function receiveFile<Query, Rule extends FileAccess>(
  app: FastifyInstance,
  settings: ServeSettings,
  route: FileRoute<Query, Rule>,
): Promise<void> {
  const { path, access, limitBytes, tooLarge } = route;
  const refusal = (): AppError => {
    const sentence = `The file is larger than ${limitBytes / 1024 / 1024} MB. ${tooLarge.mend}`;
    return new AppError('tooLarge', tooLarge.code, sentence, { field: 'file' });
  };
  await app.register(async (scope) => {
    acceptStreams(scope);
    scope.post(`/portal${path}`, { bodyLimit: limitBytes }, async (request, reply) => {
      refuseOtherOrigins(request);
      const { actor, tenant } = await authorise<FileAccess>(settings, { access }, request, request.query);
      const query = route.query.parse(request.query);
      // A file that says how large it is, is refused before a byte of it is read.
      if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw refusal();
      const answer = await readBody(request, { limitBytes, refusal }, (bytes) =>
        route.take({ query, tenant: tenant as TenantOf<Rule>, bytes, actor, ip: request.ip }),
      );
      return reply.status(201).send(answer);
    });
  });
}

/** The body stays a stream, whatever it calls itself. */
export function acceptStreams(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _body, done) => done(null));
}

/**
 * Hands the body on. What is left of one that is refused on the way is let in and dropped before the refusal is told: browsers read the
 * answer only when all is sent, so a body that nobody takes hangs until the connection dies, and its reason is never shown.
 */
export async function readBody<Answer>(
  { raw }: Pick<FastifyRequest, 'raw'>,
  { limitBytes, refusal }: { readonly limitBytes: number; readonly refusal: () => AppError },
  take: (bytes: AsyncIterable<Uint8Array>) => Promise<Answer>,
): Promise<Answer> {
  let read = 0;
  async function* limited(): AsyncGenerator<Uint8Array> {
    for await (const chunk of raw.iterator({ destroyOnReturn: false })) {
      read += chunk.byteLength;
      if (read > limitBytes) throw refusal();
      yield chunk;
    }
  }
  try {
    return await take(limited());
  } catch (error) {
    await dropTheRest(raw, 2 * limitBytes - read);
    throw error;
  }
}

/** Up to so many bytes: whoever sends more without saying so has the connection closed. */
async function dropTheRest(raw: FastifyRequest['raw'], mostBytes: number): Promise<void> {
  let dropped = 0;
  raw.on('data', (chunk: Uint8Array) => {
    dropped += chunk.byteLength;
    if (dropped > mostBytes) raw.destroy();
  });
  // A sender who has gone meanwhile reads no answer: why does not matter any more.
  await finished(raw, { writable: false }).catch(() => undefined);
}
