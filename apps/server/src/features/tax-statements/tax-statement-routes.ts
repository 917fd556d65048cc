import {
  STATEMENT_LIMIT_BYTES,
  STATEMENT_TEMPLATE_PATH,
  statementTaxScalar,
  TAX_STATEMENTS_PATH,
  type taxStatementsApi,
} from '@portal/contract/tax-statements.ts';
import { companyInput } from '@portal/contract/scalars.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { formatStatementTemplate } from '@portal/domain/practice/statements/statement-columns.ts';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { AppDeps } from '../../app-deps.ts';
import { refuseOtherOrigins } from '../../http/same-origin.ts';
import { authorise, type Handlers, type ServeSettings } from '../../http/serve-contract.ts';
import { stageStatement } from './stage-statement.ts';
import { cancelStatement, startStatement } from './statement-moves.ts';
import { getStatement, listStatementRows, listStatements } from './tax-statement-queries.ts';

export function taxStatementHandlers(deps: AppDeps): Handlers<typeof taxStatementsApi> {
  const { db } = deps.database;
  const keyOf = (input: { company_id: string; statement_id: string }) => ({
    companyId: input.company_id,
    statementId: input.statement_id,
  });
  const told = async (input: { company_id: string; statement_id: string }) => ({ statement: await getStatement(db, keyOf(input)) });
  return {
    list: async ({ input }) => ({ statements: await listStatements(db, input.company_id, input.tax_type) }),
    get: ({ input }) => told(input),
    rows: ({ input }) => listStatementRows(db, keyOf(input), input),
    start: async ({ input, actor, caller }) => {
      await startStatement(deps, keyOf(input), { userId: actor.userId, ip: caller.ip });
      return told(input);
    },
    cancel: async ({ input, actor, caller }) => {
      await cancelStatement(deps, keyOf(input), { userId: actor.userId, ip: caller.ip });
      return told(input);
    },
  };
}

const templateQuery = z.object({ tax_type: statementTaxScalar.default('paye') });
const uploadQuery = companyInput.extend({
  tax_type: statementTaxScalar,
  /** `1`: a dry run; the statement waits as `ready`. */
  hold: z.literal('1').optional(),
  file_name: z.string().trim().min(1, 'Name the file').max(200, 'Use a file name of at most 200 characters'),
});

/** The upload is a stream and the template a file, so they stand beside the contract's JSON calls. */
export async function serveStatementFiles(app: FastifyInstance, deps: AppDeps, settings: ServeSettings): Promise<void> {
  app.get(`/portal${STATEMENT_TEMPLATE_PATH}`, async (request, reply) => {
    const { tax_type } = templateQuery.parse(request.query);
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${tax_type}-statement-template.csv"`)
      .send(formatStatementTemplate(tax_type));
  });
  await app.register(async (scope) => {
    // The body stays a stream, whatever it calls itself; it is read once, by the file reader.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _body, done) => done(null));
    scope.post(`/portal${TAX_STATEMENTS_PATH}`, { bodyLimit: STATEMENT_LIMIT_BYTES }, async (request, reply) => {
      refuseOtherOrigins(request);
      const { actor } = await authorise(settings, { access: 'practice.manage' }, request, request.query);
      const query = uploadQuery.parse(request.query);
      if (!actor) throw new AppError('unauthenticated', 'identity.not_signed_in', 'Sign in to go on.');
      // A file that says how large it is, is refused before a byte of it is read.
      if (Number(request.headers['content-length'] ?? 0) > STATEMENT_LIMIT_BYTES) throw fileTooLarge();
      const bytes = limitBytes(request.raw);
      const file = { companyId: query.company_id, tax: query.tax_type, fileName: query.file_name, bytes, hold: query.hold === '1' };
      const key = await stageStatement(deps, actor, file, request.ip);
      return reply.status(201).send({ statement: await getStatement(deps.database.db, key) });
    });
  });
}

async function* limitBytes(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let read = 0;
  for await (const chunk of stream) {
    read += chunk.byteLength;
    if (read > STATEMENT_LIMIT_BYTES) throw fileTooLarge();
    yield chunk;
  }
}

function fileTooLarge(): AppError {
  const megabytes = STATEMENT_LIMIT_BYTES / 1024 / 1024;
  const sentence = `The file is larger than ${megabytes} MB. Split it by clients, or leave out other columns.`;
  return new AppError('tooLarge', 'tax_statements.file_too_large', sentence, { field: 'file' });
}
