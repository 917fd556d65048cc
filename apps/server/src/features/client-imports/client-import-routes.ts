import {
  CLIENTS_FILE_LIMIT_BYTES,
  CLIENTS_TEMPLATE_PATH,
  CLIENTS_UPLOAD_PATH,
  FILE_SOURCES,
  type clientImportsApi,
} from '@portal/contract/client-imports.ts';
import { companyInput } from '@portal/contract/scalars.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { formatImportTemplate } from '@portal/domain/practice/client-import/import-columns.ts';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { AppDeps } from '../../app-deps.ts';
import { refuseOtherOrigins } from '../../http/same-origin.ts';
import { authorise, type Handlers, type ServeSettings } from '../../http/serve-contract.ts';
import { findImport, getImport, listEarlierImports, listImportRows } from './import-queries.ts';
import { judgeClientsFile } from './judge-file.ts';
import { resolveRow } from './resolve-row.ts';
import { cancelImport, startImport } from './start-import.ts';
import { tellFetching } from './tell-fetching.ts';
import { undoImport } from './undo-import.ts';

export function clientImportHandlers(deps: AppDeps): Handlers<typeof clientImportsApi> {
  const keyOf = (input: { company_id: string; import_id: string }) => ({ companyId: input.company_id, importId: input.import_id });
  const told = async (input: { company_id: string; import_id: string }) => ({
    import: await getImport(deps, input.company_id, input.import_id),
  });
  return {
    info: async ({ input }) => {
      const { company_id, import_id } = input;
      const found = import_id === undefined ? await findImport(deps, company_id) : await getImport(deps, company_id, import_id);
      const all = await listEarlierImports(deps.database.db, company_id);
      return { import: found, earlier: all.filter((one) => one.import_id !== found?.import_id) };
    },
    rows: async ({ input }) => {
      await getImport(deps, input.company_id, input.import_id);
      return listImportRows(deps.database.db, keyOf(input), input);
    },
    start: async ({ input, actor, caller }) => {
      await startImport(deps, keyOf(input), { userId: actor.userId, ip: caller.ip });
      return told(input);
    },
    cancel: async ({ input, actor, caller }) => {
      await cancelImport(deps, keyOf(input), { userId: actor.userId, ip: caller.ip });
      return told(input);
    },
    undo: async ({ input, actor, caller }) => {
      await undoImport(deps, keyOf(input), { userId: actor.userId, ip: caller.ip });
      return told(input);
    },
    resolve: async ({ input, actor, caller }) => {
      const { row, choice, client_id: clientId } = input;
      return { row: await resolveRow(deps, keyOf(input), { row, choice, clientId }, { userId: actor.userId, ip: caller.ip }) };
    },
    fetchingNewClients: ({ input }) => tellFetching(deps, input.company_id),
  };
}

const uploadQuery = companyInput.extend({
  file_name: z.string().trim().min(1, 'Name the file').max(200, 'Use a file name of at most 200 characters'),
  source: z.enum(FILE_SOURCES).default('file'),
});

/** The upload is a stream and the template a file, so they stand beside the contract's JSON calls. */
export async function serveClientFiles(app: FastifyInstance, deps: AppDeps, settings: ServeSettings): Promise<void> {
  app.get(`/portal${CLIENTS_TEMPLATE_PATH}`, async (_request, reply) =>
    reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="clients-template.csv"')
      .send(formatImportTemplate()),
  );
  await app.register(async (scope) => {
    // The body stays a stream, whatever it calls itself; it is read once, by the file reader.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _body, done) => done(null));
    scope.post(`/portal${CLIENTS_UPLOAD_PATH}`, { bodyLimit: CLIENTS_FILE_LIMIT_BYTES }, async (request, reply) => {
      refuseOtherOrigins(request);
      const { actor } = await authorise(settings, { access: 'practice.manage' }, request, request.query);
      const query = uploadQuery.parse(request.query);
      if (!actor) throw new AppError('unauthenticated', 'identity.not_signed_in', 'Sign in to go on.');
      // A file that says how large it is, is refused before a byte of it is read.
      if (Number(request.headers['content-length'] ?? 0) > CLIENTS_FILE_LIMIT_BYTES) throw fileTooLarge();
      const bytes = limitBytes(request.raw);
      const file = { companyId: query.company_id, fileName: query.file_name, source: query.source, bytes };
      return reply.status(201).send(await judgeClientsFile(deps, actor, file, request.ip));
    });
  });
}

async function* limitBytes(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let read = 0;
  for await (const chunk of stream) {
    read += chunk.byteLength;
    if (read > CLIENTS_FILE_LIMIT_BYTES) throw fileTooLarge();
    yield chunk;
  }
}

function fileTooLarge(): AppError {
  const megabytes = CLIENTS_FILE_LIMIT_BYTES / 1024 / 1024;
  return new AppError(
    'tooLarge',
    'clients.file_too_large',
    `The file is larger than ${megabytes} MB. Split it, or leave out other columns.`,
    {
      field: 'file',
    },
  );
}
