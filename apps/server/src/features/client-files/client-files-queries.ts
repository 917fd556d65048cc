import type { ClientFile, WorkFile } from '@portal/contract/client-files.ts';
import type { Db } from '@portal/db/database.ts';
import { clientFileContents, clientFiles, users } from '@portal/db/schema/schema.ts';
import { and, asc, desc, eq, isNotNull, isNull, or, sql, type SQL } from '@portal/db/sql.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { MAX_FILES } from '@portal/domain/client-files/client-file.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { ClientTenant } from '../../http/resolve-tenant.ts';
import type { Actor } from '../../http/session.ts';
import type { FileOwner } from './file-owner.ts';

const FILE_FIELDS = {
  file_id: clientFiles.id,
  name: clientFiles.name,
  type: clientFiles.type,
  size_bytes: clientFiles.sizeBytes,
  state: clientFiles.state,
  uploaded_by: users.fullName,
  uploaded_at: clientFiles.uploadedAt,
};

/** The client's users see the files they sent and those that the practice shares. */
function isVisibleFile(actor: Actor): SQL | undefined {
  return actor.role === 'client' ? or(eq(clientFiles.isFromClient, true), isNotNull(clientFiles.sharedAt)) : undefined;
}

export function isOfOwner(owner: FileOwner): SQL | undefined {
  return and(
    eq(clientFiles.companyId, owner.companyId),
    'clientId' in owner ? eq(clientFiles.clientId, owner.clientId) : eq(clientFiles.workItemId, owner.workItemId),
  );
}

export const CLIENT_FILE_FIELDS = {
  ...FILE_FIELDS,
  is_from_client: clientFiles.isFromClient,
  folder: clientFiles.folder,
  year: clientFiles.year,
  is_shared: sql<boolean>`(${clientFiles.isFromClient} or ${clientFiles.sharedAt} is not null)`,
};

export async function listClientFiles(db: Db, { practiceId, clientId }: ClientTenant, actor: Actor): Promise<ClientFile[]> {
  return db
    .select(CLIENT_FILE_FIELDS)
    .from(clientFiles)
    .innerJoin(users, eq(users.id, clientFiles.uploadedBy))
    .where(and(isOfOwner({ companyId: practiceId, clientId }), isNull(clientFiles.removedAt), isVisibleFile(actor)))
    .orderBy(desc(clientFiles.uploadedAt), desc(clientFiles.id))
    .limit(MAX_FILES);
}

export async function listWorkFiles(db: Db, companyId: string, workItemId: string): Promise<WorkFile[]> {
  return db
    .select(FILE_FIELDS)
    .from(clientFiles)
    .innerJoin(users, eq(users.id, clientFiles.uploadedBy))
    .where(and(eq(clientFiles.companyId, companyId), eq(clientFiles.workItemId, workItemId), isNull(clientFiles.removedAt)))
    .orderBy(asc(clientFiles.uploadedAt), asc(clientFiles.id));
}

export async function findFile(db: Db, owner: FileOwner, fileId: string): Promise<WorkFile | undefined> {
  const [file] = await db
    .select(FILE_FIELDS)
    .from(clientFiles)
    .innerJoin(users, eq(users.id, clientFiles.uploadedBy))
    .where(and(isOfOwner(owner), eq(clientFiles.id, fileId)));
  return file;
}

export type FileContent = Pick<typeof clientFiles.$inferSelect, 'name' | 'type'> & { readonly bytes: Uint8Array };

/** Throws unless the file is clean. */
export async function getFileContent(db: Db, owner: FileOwner, fileId: string, actor: Actor): Promise<FileContent> {
  const [file] = await db
    .select({ name: clientFiles.name, type: clientFiles.type, state: clientFiles.state, bytes: clientFileContents.bytes })
    .from(clientFiles)
    .leftJoin(
      clientFileContents,
      and(eq(clientFileContents.companyId, clientFiles.companyId), eq(clientFileContents.fileId, clientFiles.id)),
    )
    .where(and(isOfOwner(owner), eq(clientFiles.id, fileId), isNull(clientFiles.removedAt), isVisibleFile(actor)));
  if (!file) throw createNotFoundError();
  if (file.state === 'quarantined') {
    const reason = `${file.name} hasn’t been scanned for viruses yet. You can open it once it has been. Try again in a few minutes.`;
    throw new AppError('conflict', 'file.quarantined', reason);
  }
  if (file.state === 'infected' || file.bytes === null) {
    throw new AppError('conflict', 'file.infected', `${file.name} contained a virus, so we deleted it. Ask for a clean copy.`);
  }
  return { name: file.name, type: file.type, bytes: file.bytes };
}
