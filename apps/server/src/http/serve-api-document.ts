/** The API document at /portal/api-docs (docs/product/decisions.md section 7). It is the same for everyone and created on first request. */
import { describeApi } from '@portal/contract/api-document.ts';
import type { FastifyInstance } from 'fastify';
import type { Site } from '../app-deps.ts';
import { sessionCookieName } from './session.ts';

export function serveApiDocument(app: FastifyInstance, { publicUrl }: Pick<Site, 'publicUrl'>): void {
  let text: string | undefined;
  app.get('/portal/api-docs', (_request, reply) => {
    text ??= JSON.stringify(describeApi({ publicUrl, sessionCookie: sessionCookieName(publicUrl) }));
    return reply.type('application/json; charset=utf-8').header('cache-control', 'public, max-age=3600').send(text);
  });
}
