/**
 * Webhooks from bookkeeping software, verified over the raw bytes. They are only hints: the changes are read from the software. Repeated or
 * late webhooks are therefore harmless.
 */
import { booksConnections } from '@portal/db/schema/schema.ts';
import { and, eq, inArray } from '@portal/db/sql.ts';
import { BOOKS_PROVIDERS, type BooksProviderName } from '@portal/domain/connected-books/books-providers.ts';
import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '../../app-deps.ts';
import { tryEach } from '../../jobs/try-each.ts';
import { runAsSystem } from '../../run-as-system.ts';
import { scheduleRead } from './books-reads.ts';
import { CAN_BE_READ, IS_LINKED } from './find-books-connection.ts';

const BOOKS_WEBHOOK_PATH = '/portal/webhooks/books';
/** Xero sends at most a few hundred events per request. */
const MAX_BYTES = 512 * 1024;

export async function serveBooksWebhooks(app: FastifyInstance, deps: AppDeps): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BYTES }, (_request, body, done) => done(null, body));
    for (const provider of BOOKS_PROVIDERS) {
      const readWebhook = deps.books[provider]?.readWebhook;
      if (!readWebhook) continue;
      scope.post(`${BOOKS_WEBHOOK_PATH}/${provider}`, async (request, reply) => {
        const rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        const organisationIds = readWebhook({ headers: request.headers, rawBody });
        // Xero checks that a wrong signature gets a 401 response.
        if (organisationIds === undefined) return reply.status(401).send();
        await runAsSystem('webhook', () => scheduleReads(deps, provider, organisationIds));
        return reply.status(200).send();
      });
    }
  });
}

async function scheduleReads(deps: AppDeps, provider: BooksProviderName, organisationIds: readonly string[]): Promise<void> {
  if (organisationIds.length === 0) return;
  const { db } = deps.database;
  const changedConnections = await db
    .select({ companyId: booksConnections.companyId })
    .from(booksConnections)
    .where(
      and(eq(booksConnections.provider, provider), CAN_BE_READ, IS_LINKED, inArray(booksConnections.organisationId, [...organisationIds])),
    );
  await tryEach(changedConnections, ({ companyId }) => db.transaction((tx) => scheduleRead(deps, tx, companyId)));
}
