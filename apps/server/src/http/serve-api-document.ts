/**
 * The API document at /portal/api-docs, and the typed client (docs/product/decisions.md section 7). The same for everyone, and created on
 * first request.
 */
import { writeApiClient } from '@portal/contract/api-client.ts';
import { createApiDocument } from '@portal/contract/api-document.ts';
import { API_CLIENT_PATH } from '@portal/contract/developer-examples.ts';
import type { FastifyInstance } from 'fastify';
import type { Site } from '../app-deps.ts';
import { getSessionCookieName } from './session.ts';

export function serveApiDocument(app: FastifyInstance, { publicUrl }: Pick<Site, 'publicUrl'>): void {
  let text: string | undefined;
  let client: string | undefined;
  const describe = () => createApiDocument({ publicUrl, sessionCookie: getSessionCookieName(publicUrl) });
  app.get('/portal/api-docs', (_request, reply) => {
    text ??= JSON.stringify(describe());
    return reply.type('application/json; charset=utf-8').header('cache-control', 'public, max-age=3600').send(text);
  });
  app.get(`/portal${API_CLIENT_PATH}`, (_request, reply) => {
    client ??= writeApiClient(describe());
    return reply.type('text/plain; charset=utf-8').header('cache-control', 'public, max-age=3600').send(client);
  });
}
