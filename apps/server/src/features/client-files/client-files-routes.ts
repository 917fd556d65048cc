/** Files of clients and tasks. Uploads and downloads are streams, so they can't be JSON endpoints of the contract. */
import { type clientFilesApi } from '@portal/contract/client-files.ts';
import { FILE_ENDPOINTS } from '@portal/contract/file-endpoints.ts';
import { workItems } from '@portal/db/schema/schema.ts';
import { and, eq, isNull } from '@portal/db/sql.ts';
import { FILE_TYPES, MAX_FILE_BYTES } from '@portal/domain/client-files/client-file.ts';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { AppDeps } from '../../app-deps.ts';
import { authorise } from '../../http/authorise.ts';
import { createNotFoundError } from '../../http/policies.ts';
import { receiveFile } from '../../http/receive-file.ts';
import type { Handlers, ServeSettings } from '../../http/serve-contract.ts';
import { getActingUserId, type Actor } from '../../http/session.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { isVisibleWork } from '../work-items/visible-work-items.ts';
import { changeClientFile, removeClientFile, removeWorkFile } from './change-client-file.ts';
import { getFileContent, listClientFiles, listWorkFiles, type FileContent } from './client-files-queries.ts';
import { FILE_OPENED_ACTION, getFileSubject, type FileOwner } from './file-owner.ts';
import { storeClientFile } from './store-client-file.ts';

export function clientFilesHandlers(deps: AppDeps): Handlers<typeof clientFilesApi> {
  const { db } = deps.database;
  return {
    list: async ({ tenant, actor }) => ({ files: await listClientFiles(db, tenant, actor) }),
    change: (call) => changeClientFile(deps, call),
    remove: (call) => removeClientFile(deps, call),
    listOfWork: async ({ input, tenant: { practiceId }, actor }) => {
      const item = await findWorkOwner(deps, practiceId, input.item_id, actor);
      return { files: await listWorkFiles(db, practiceId, item.workItemId) };
    },
    removeOfWork: (call) => removeWorkFile(deps, call),
  };
}

const { upload, download, uploadOfWork, downloadOfWork } = FILE_ENDPOINTS.clientFiles;

const LIMITS = {
  maxFileBytes: MAX_FILE_BYTES,
  tooLarge: { code: 'file.too_large', advice: 'Split it into smaller files, or send a photo at lower quality.' },
} as const;

export async function serveUploadedFiles(app: FastifyInstance, deps: AppDeps, settings: ServeSettings): Promise<void> {
  await receiveFile(app, settings, {
    ...upload,
    ...LIMITS,
    handle: ({ query, tenant, bytes, actor, ip }) => {
      const owner = { companyId: tenant.practiceId, clientId: tenant.clientId };
      const { file_id: fileId, file_name: fileName, is_shared: isShared, request_item_id: requestItemId } = query;
      return storeClientFile(deps, owner, { fileId, fileName, bytes, actor, ip, isShared: isShared === 'true', requestItemId });
    },
  });
  await receiveFile(app, settings, {
    ...uploadOfWork,
    ...LIMITS,
    handle: async ({ query, tenant, bytes, actor, ip }) => {
      const owner = await findWorkOwner(deps, tenant.practiceId, query.item_id, actor);
      return storeClientFile(deps, owner, { fileId: query.file_id, fileName: query.file_name, bytes, actor, ip });
    },
  });
  app.get(`/portal${download.path}`, async (request, reply) => {
    const { actor, tenant, raw } = await authorise(settings, { access: download.access }, request, request.query);
    const { file_id: fileId } = download.query.parse(raw);
    const owner = { companyId: tenant.practiceId, clientId: tenant.clientId };
    return sendFile({ deps, reply, actor, ip: request.ip }, owner, fileId);
  });
  app.get(`/portal${downloadOfWork.path}`, async (request, reply) => {
    const { actor, tenant, raw } = await authorise(settings, { access: downloadOfWork.access }, request, request.query);
    const { item_id: itemId, file_id: fileId } = downloadOfWork.query.parse(raw);
    return sendFile({ deps, reply, actor, ip: request.ip }, await findWorkOwner(deps, tenant.practiceId, itemId, actor), fileId);
  });
}

async function findWorkOwner({ database: { db } }: AppDeps, companyId: string, itemId: string, actor: Actor) {
  const [item] = await db
    .select({ id: workItems.id, clientId: workItems.clientId })
    .from(workItems)
    .where(and(eq(workItems.companyId, companyId), eq(workItems.id, itemId), isNull(workItems.removedAt), isVisibleWork(actor)));
  if (!item) throw createNotFoundError();
  return { companyId, workItemId: item.id, aboutClientId: item.clientId };
}

type Download = { readonly deps: AppDeps; readonly reply: FastifyReply; readonly actor: Actor; readonly ip: string };

/** Sends a file, and records in the audit trail who opened it. */
async function sendFile({ deps, reply, actor, ip }: Download, owner: FileOwner, fileId: string): Promise<FastifyReply> {
  const file = await getFileContent(deps.database.db, owner, fileId, actor);
  await deps.database.db.transaction((tx) =>
    recordAudit(tx, {
      companyId: owner.companyId,
      at: deps.clock.now(),
      actor: getActingUserId(actor),
      action: FILE_OPENED_ACTION,
      subject: getFileSubject(owner),
      after: { file: file.name, file_id: fileId },
      ip,
    }),
  );
  return replyWithFile(reply, file);
}

/**
 * The browser must always save a file and never display it, because it must not run in our origin. Every response has nosniff
 * (http/security-headers.ts).
 */
export function replyWithFile(reply: FastifyReply, { name, type, bytes }: FileContent): FastifyReply {
  const ascii = name.replaceAll(/[^\w .()-]+/g, '_');
  return reply
    .type(FILE_TYPES[type].mediaType)
    .header('cache-control', 'no-store')
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', "default-src 'none'; sandbox")
    .header('content-disposition', `attachment; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(name).replaceAll("'", '%27')}`)
    .send(Buffer.from(bytes));
}
