import { MAX_BOOKS_FILE_BYTES, BOOKS_TEMPLATE_PATH, type booksApi } from '@portal/contract/books.ts';
import { FILE_ENDPOINTS } from '@portal/contract/file-endpoints.ts';
import { booksFiles } from '@portal/db/schema/schema.ts';
import { formatBooksTemplate } from '@portal/domain/books/books-template.ts';
import { and, desc, eq, isNotNull } from '@portal/db/sql.ts';
import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '../../app-deps.ts';
import { parseFile } from '../../http/parse-file.ts';
import { receiveFile } from '../../http/receive-file.ts';
import type { Handlers, ServeSettings } from '../../http/serve-contract.ts';
import { applyPendingBooks, discardPendingBooks, findPendingBooks, mapBooksColumns, receiveBooks } from './books-uploads.ts';

export function booksHandlers(deps: AppDeps): Handlers<typeof booksApi> {
  return {
    current: async ({ tenant }) => {
      const rows = await deps.database.db
        .select()
        .from(booksFiles)
        .where(and(eq(booksFiles.companyId, tenant.companyId), isNotNull(booksFiles.appliedAt)))
        .orderBy(desc(booksFiles.appliedAt))
        .limit(20);
      const files = rows.map((file) => ({
        file_id: file.id,
        file_name: file.fileName,
        rows: file.rows,
        first_date: file.firstDate,
        last_date: file.lastDate,
        flagged: file.flagged,
        applied_at: file.appliedAt ?? deps.clock.now(),
        program: file.source,
      }));
      const [current = null, ...earlierFiles] = files;
      return { current, earlier: earlierFiles, pending: await findPendingBooks(deps.database.db, tenant.companyId) };
    },
    map: ({ input, tenant, actor, caller }) =>
      parseFile(() =>
        mapBooksColumns(deps, { companyId: tenant.companyId, actor, ip: caller.ip }, input.upload_id, {
          sheet: input.sheet,
          headerLine: input.header_line,
          columns: input.columns,
          fixedKind: input.fixed_kind,
          fixedTreatment: input.fixed_treatment,
          kinds: input.kinds,
          treatments: input.treatments,
        }),
      ),
    apply: ({ input, tenant, actor, caller }) =>
      parseFile(() => applyPendingBooks(deps, { companyId: tenant.companyId, actor, ip: caller.ip }, input.upload_id)),
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
    limitBytes: MAX_BOOKS_FILE_BYTES,
    tooLarge: { code: 'books.file_too_large', advice: 'Split it by quarter and upload the quarter you want to file.' },
    handle: ({ query, tenant, bytes, actor, ip }) => receiveBooks(deps, { companyId: tenant.companyId, actor, ip }, query.file_name, bytes),
  });
}
