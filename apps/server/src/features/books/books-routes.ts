import { MAX_BOOKS_FILE_BYTES, BOOKS_TEMPLATE_PATH, type booksApi } from '@portal/contract/books.ts';
import { FILE_ENDPOINTS } from '@portal/contract/file-endpoints.ts';
import { formatBooksTemplate } from '@portal/domain/books/books-template.ts';
import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '../../app-deps.ts';
import { parseFile } from '../../http/parse-file.ts';
import { receiveFile } from '../../http/receive-file.ts';
import type { Handlers, ServeSettings } from '../../http/serve-contract.ts';
import { toTaxpayer } from '../vat-returns/taxpayer.ts';
import { applyPendingBooks, discardPendingBooks, mapBooksColumns, receiveBooks } from './books-uploads.ts';
import { getCurrentBooks } from './current-books.ts';

export function booksHandlers(deps: AppDeps): Handlers<typeof booksApi> {
  return {
    current: ({ tenant }) => getCurrentBooks(deps, tenant.companyId),
    map: ({ input, tenant, actor, caller }) =>
      parseFile(() => mapBooksColumns(deps, { ...toTaxpayer(tenant), actor, ip: caller.ip }, input)),
    apply: ({ input, tenant, actor, caller }) =>
      parseFile(() => applyPendingBooks(deps, { ...toTaxpayer(tenant), actor, ip: caller.ip }, input.upload_id)),
    discard: async ({ input, tenant }) => {
      await discardPendingBooks(deps.database.db, tenant.companyId, input.upload_id);
      return { done: true };
    },
  };
}

/** The upload is a stream and the template is a file, so they cannot be JSON endpoints of the contract. */
export async function serveBooksFiles(app: FastifyInstance, deps: AppDeps, settings: ServeSettings): Promise<void> {
  app.get(`/portal${BOOKS_TEMPLATE_PATH}`, async (_request, reply) =>
    reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="books-template.csv"')
      .send(formatBooksTemplate()),
  );
  await receiveFile(app, settings, {
    ...FILE_ENDPOINTS.books.upload,
    maxFileBytes: MAX_BOOKS_FILE_BYTES,
    tooLarge: { code: 'books.file_too_large', advice: 'Split it by quarter and upload the quarter you want to file.' },
    handle: ({ query, tenant, bytes, actor, ip }) => receiveBooks(deps, { ...toTaxpayer(tenant), actor, ip }, query.file_name, bytes),
  });
}
