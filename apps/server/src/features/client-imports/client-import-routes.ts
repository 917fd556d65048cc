import { CLIENTS_FILE_LIMIT_BYTES, CLIENTS_TEMPLATE_PATH, type clientImportsApi } from '@portal/contract/client-imports.ts';
import { FILE_CALLS } from '@portal/contract/file-calls.ts';
import { formatImportTemplate } from '@portal/domain/practice/client-import/import-columns.ts';
import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '../../app-deps.ts';
import { receiveFile } from '../../http/receive-file.ts';
import type { Handlers, ServeSettings } from '../../http/serve-contract.ts';
import { findImport, getImport, listEarlierImports, listImportRows } from './import-queries.ts';
import { judgeClientsFile } from './judge-file.ts';
import { resolveRow } from './resolve-row.ts';
import { cancelImport, startImport } from './start-import.ts';
import { tellFetching } from './tell-fetching.ts';
import { undoImport } from './undo-import.ts';

export function clientImportsHandlers(deps: AppDeps): Handlers<typeof clientImportsApi> {
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

/** The upload is a stream and the template a file, so they stand beside the contract's JSON calls. */
export async function serveClientFiles(app: FastifyInstance, deps: AppDeps, settings: ServeSettings): Promise<void> {
  app.get(`/portal${CLIENTS_TEMPLATE_PATH}`, async (_request, reply) =>
    reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="clients-template.csv"')
      .send(formatImportTemplate()),
  );
  await receiveFile(app, settings, {
    ...FILE_CALLS.clientImports.upload,
    limitBytes: CLIENTS_FILE_LIMIT_BYTES,
    tooLarge: { code: 'clients.file_too_large', mend: 'Split it, or leave out other columns.' },
    take: ({ query, bytes, actor, ip }) =>
      judgeClientsFile(deps, actor, { companyId: query.company_id, fileName: query.file_name, source: query.source, bytes }, ip),
  });
}
