import { BOOKS_FILE_LIMIT_BYTES, BOOKS_TEMPLATE_PATH, BOOKS_UPLOAD_PATH, type booksApi } from '@portal/contract/books.ts';
import { companyInput } from '@portal/contract/scalars.ts';
import { booksFiles } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { formatBooksTemplate } from '@portal/domain/vat-return/books-template.ts';
import { and, desc, eq, isNotNull } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { AppDeps } from '../../app-deps.ts';
import { refuseOtherOrigins } from '../../http/same-origin.ts';
import { authorise, type Handlers, type ServeSettings } from '../../http/serve-contract.ts';
import { applyBooksFile } from './apply-books-file.ts';

export function booksHandlers(deps: AppDeps): Handlers<typeof booksApi> {
  return {
    current: async ({ input }) => {
      const rows = await deps.database.db
        .select()
        .from(booksFiles)
        .where(and(eq(booksFiles.companyId, input.company_id), isNotNull(booksFiles.appliedAt)))
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
      }));
      const [current = null, ...earlier] = files;
      return { current, earlier };
    },
  };
}

const uploadQuery = companyInput.extend({
  file_name: z.string().trim().min(1, 'Name the file').max(200, 'Use a file name of at most 200 characters'),
});

/** The upload is a stream and the template a file, so they stand beside the contract's JSON calls. */
export async function serveBooksFiles(app: FastifyInstance, deps: AppDeps, settings: ServeSettings): Promise<void> {
  app.get(`/portal${BOOKS_TEMPLATE_PATH}`, async (_request, reply) =>
    reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="books-template.csv"')
      .send(formatBooksTemplate()),
  );
  await app.register(async (scope) => {
    // The body stays a stream, whatever it calls itself; it is read once, by the file reader.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _body, done) => done(null));
    scope.post(`/portal${BOOKS_UPLOAD_PATH}`, { bodyLimit: BOOKS_FILE_LIMIT_BYTES }, async (request, reply) => {
      refuseOtherOrigins(request);
      const { actor } = await authorise(settings, { access: 'company.manage' }, request, request.query);
      const query = uploadQuery.parse(request.query);
      if (!actor) throw new AppError('unauthenticated', 'identity.not_signed_in', 'Sign in to go on.');
      // A file that says how large it is, is refused before a byte of it is read.
      if (Number(request.headers['content-length'] ?? 0) > BOOKS_FILE_LIMIT_BYTES) throw fileTooLarge();
      const bytes = limitBytes(request.raw, BOOKS_FILE_LIMIT_BYTES);
      const file = await applyBooksFile(deps, actor, { companyId: query.company_id, fileName: query.file_name, bytes }, request.ip);
      return reply.status(201).send(file);
    });
  });
}

async function* limitBytes(stream: AsyncIterable<Uint8Array>, limit: number): AsyncGenerator<Uint8Array> {
  let read = 0;
  for await (const chunk of stream) {
    read += chunk.byteLength;
    if (read > limit) throw fileTooLarge();
    yield chunk;
  }
}

function fileTooLarge(): AppError {
  const megabytes = BOOKS_FILE_LIMIT_BYTES / 1024 / 1024;
  return new AppError(
    'tooLarge',
    'books.file_too_large',
    `The file is larger than ${megabytes} MB. Split it by quarter and upload the quarter you file.`,
    { field: 'file' },
  );
}
