import { MAX_CLIENTS_FILE_BYTES, CLIENTS_TEMPLATE_PATH, type clientImportsApi } from '@portal/contract/client-imports.ts';
import { FILE_ENDPOINTS } from '@portal/contract/file-endpoints.ts';
import { formatImportTemplate } from '@portal/domain/client-imports/import-columns.ts';
import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '../../app-deps.ts';
import { parseFile } from '../../http/parse-file.ts';
import { receiveFile } from '../../http/receive-file.ts';
import type { Handlers, ServeSettings } from '../../http/serve-contract.ts';
import { importFromProvider } from './import-from-provider.ts';
import { findImport, getImport, listEarlierImports, listImportRows } from './import-queries.ts';
import { validateClientsFile } from './validate-clients-file.ts';
import { answerVatGroup } from './answer-vat-group.ts';
import { chooseStatuses } from './choose-statuses.ts';
import { correctRow } from './correct-row.ts';
import { listRejectedRows } from './list-rejected-rows.ts';
import { mapColumns } from './map-columns.ts';
import { previewAssignments } from './preview-assignments.ts';
import { resolveRow } from './resolve-row.ts';
import { cancelImport, startImport } from './start-import.ts';
import { getImportProgress } from './get-import-progress.ts';
import { undoImport } from './undo-import.ts';

export function clientImportsHandlers(deps: AppDeps): Handlers<typeof clientImportsApi> {
  type OneImport = { readonly tenant: { readonly practiceId: string }; readonly input: { readonly import_id: string } };
  const toImportKey = ({ tenant, input }: OneImport) => ({ companyId: tenant.practiceId, importId: input.import_id });
  const getImportOutput = async ({ tenant, input }: OneImport) => ({ import: await getImport(deps, tenant.practiceId, input.import_id) });
  return {
    info: async ({ input: { import_id }, tenant: { practiceId } }) => {
      const foundImport = import_id === undefined ? await findImport(deps, practiceId) : await getImport(deps, practiceId, import_id);
      const allImports = await listEarlierImports(deps.database.db, practiceId);
      return { import: foundImport, earlier: allImports.filter((entry) => entry.import_id !== foundImport?.import_id) };
    },
    rows: async (call) => {
      await getImport(deps, call.tenant.practiceId, call.input.import_id);
      return listImportRows(deps.database.db, toImportKey(call), call.input);
    },
    fromProgram: async ({ input, tenant: { practiceId }, actor, caller }) => ({
      import: await importFromProvider(deps, actor, { practiceId, provider: input.program, ip: caller.ip }),
    }),
    start: async (call) => {
      await startImport(deps, toImportKey(call), call);
      return getImportOutput(call);
    },
    cancel: async (call) => {
      await cancelImport(deps, toImportKey(call), { userId: call.actor.userId, ip: call.caller.ip });
      return getImportOutput(call);
    },
    undo: async (call) => {
      await undoImport(deps, toImportKey(call), { userId: call.actor.userId, ip: call.caller.ip });
      return getImportOutput(call);
    },
    assignments: async (call) => {
      await getImport(deps, call.tenant.practiceId, call.input.import_id);
      return previewAssignments(deps.database.db, toImportKey(call), deps.clock.today());
    },
    resolve: async (call) => {
      const { row, choice, client_id: clientId } = call.input;
      return {
        row: await resolveRow(deps, toImportKey(call), { row, choice, clientId }, { userId: call.actor.userId, ip: call.caller.ip }),
      };
    },
    map: async (call) => {
      const { sheet, header_line: headerLine, columns } = call.input;
      const requester = { userId: call.actor.userId, ip: call.caller.ip };
      await parseFile(() => mapColumns(deps, toImportKey(call), { sheet, headerLine, columns }, requester));
      return getImportOutput(call);
    },
    chooseStatuses: async (call) => {
      const { prospects, existing } = call.input;
      await chooseStatuses(deps, toImportKey(call), { prospects, existing }, { userId: call.actor.userId, ip: call.caller.ip });
      return getImportOutput(call);
    },
    correct: async (call) => {
      const { row, values } = call.input;
      return { row: await correctRow(deps, toImportKey(call), { row, values }, { userId: call.actor.userId, ip: call.caller.ip }) };
    },
    answerVatGroup: async (call) => {
      const { row, representative_id: representativeId } = call.input;
      const requester = { userId: call.actor.userId, ip: call.caller.ip };
      return { row: await answerVatGroup(deps, toImportKey(call), { row, representativeId }, requester) };
    },
    rejected: async (call) => {
      const { file_name: fileName } = await getImport(deps, call.tenant.practiceId, call.input.import_id);
      return listRejectedRows(deps.database.db, toImportKey(call), fileName);
    },
    fetchingNewClients: ({ tenant }) => getImportProgress(deps, tenant.practiceId),
  };
}

/** The upload is a stream and the template is a file, so they cannot be JSON endpoints of the contract. */
export async function serveClientFiles(app: FastifyInstance, deps: AppDeps, settings: ServeSettings): Promise<void> {
  app.get(`/portal${CLIENTS_TEMPLATE_PATH}`, async (_request, reply) =>
    reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="clients-template.csv"')
      .send(formatImportTemplate()),
  );
  await receiveFile(app, settings, {
    ...FILE_ENDPOINTS.clientImports.upload,
    maxFileBytes: MAX_CLIENTS_FILE_BYTES,
    tooLarge: { code: 'clients.file_too_large', advice: 'Split it, or remove columns you don’t need.' },
    handle: ({ query, tenant, bytes, actor, ip }) =>
      validateClientsFile(deps, actor, { companyId: tenant.practiceId, fileName: query.file_name, source: query.source, bytes }, ip),
  });
}
