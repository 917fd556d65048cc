/** Stores an uploaded file in quarantine, then scans it. It can't be opened until it has passed the scan. */
import { createHash } from 'node:crypto';
import type { WorkFile } from '@portal/contract/client-files.ts';
import type { Tx } from '@portal/db/database.ts';
import { clientFileContents, clientFiles } from '@portal/db/schema/schema.ts';
import { and, count, eq, isNull, sql } from '@portal/db/sql.ts';
import { AppError, createInvalidFieldError } from '@portal/domain/app-error.ts';
import { MAX_FILES, MAX_TOTAL_FILE_BYTES, toFileName } from '@portal/domain/client-files/client-file.ts';
import { detectFileType } from '@portal/providers/uploads/detect-file-type.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Actor } from '../../http/session.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { answerWithFile } from '../client-requests/answer-client-request.ts';
import { enqueueFileShared } from './client-file-emails.ts';
import { findFile } from './client-files-queries.ts';
import { getFileSubject, type FileOwner } from './file-owner.ts';
import { scanFile } from './scan-client-files.ts';

export type NewFile = {
  readonly fileId: string;
  readonly fileName: string;
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly actor: Actor;
  readonly ip: string;
  /** True if the practice shares the file with the client. The client always sees files sent by its own users. */
  readonly isShared?: boolean;
  /** The request item that this file was uploaded for. */
  readonly requestItemId?: string | undefined;
};

export async function storeClientFile(deps: AppDeps, owner: FileOwner, file: NewFile): Promise<WorkFile> {
  if (!deps.virusScanner) {
    const reason =
      'You can’t send files here because no virus scanner is set up. Send the file another way, and let the portal’s operator know.';
    throw new AppError('unavailable', 'file.no_scanner', reason, { field: 'file' });
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of file.bytes) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const detectedType = detectFileType(bytes);
  if (!detectedType.ok) throw createInvalidFieldError('file', `${file.fileName} ${detectedType.reason}.`);
  const name = toFileName(file.fileName, detectedType.type);
  await deps.database.db.transaction((tx) => insertFile(deps, tx, owner, { ...file, name, type: detectedType.type, stored: bytes }));
  await scanFile(deps, { companyId: owner.companyId, fileId: file.fileId });
  const storedFile = await findFile(deps.database.db, owner, file.fileId);
  if (!storedFile) throw createNotFoundError();
  if (storedFile.state === 'infected') {
    const reason = `${storedFile.name} contains a virus, so we deleted it. Scan your device, then send a clean copy.`;
    throw new AppError('impossible', 'file.infected', reason, { field: 'file' });
  }
  return storedFile;
}

type Insertion = NewFile & Pick<typeof clientFiles.$inferInsert, 'name' | 'type'> & { readonly stored: Buffer };

/** Inserts the file once. Repeating the same upload has no effect. */
async function insertFile(deps: AppDeps, tx: Tx, owner: FileOwner, file: Insertion): Promise<void> {
  const { companyId } = owner;
  const { fileId, name, type, stored, actor, ip } = file;
  const at = deps.clock.now();
  const isFromClient = actor.role === 'client';
  const isShared = !isFromClient && file.isShared === true && 'clientId' in owner;
  await assertBelowLimits(tx, owner, stored.byteLength);
  const insertedFiles = await tx
    .insert(clientFiles)
    .values({
      companyId,
      id: fileId,
      clientId: 'clientId' in owner ? owner.clientId : null,
      workItemId: 'workItemId' in owner ? owner.workItemId : null,
      name,
      type,
      requestItemId: isFromClient ? (file.requestItemId ?? null) : null,
      sizeBytes: stored.byteLength,
      sha256: createHash('sha256').update(stored).digest('hex'),
      isFromClient,
      sharedAt: isShared ? at : null,
      uploadedBy: actor.userId,
      uploadedAt: at,
    })
    .onConflictDoNothing()
    .returning({ id: clientFiles.id });
  if (insertedFiles.length === 0) return;
  await tx.insert(clientFileContents).values({ companyId, fileId, bytes: stored });
  if (isFromClient && file.requestItemId !== undefined && 'clientId' in owner) {
    await answerWithFile(tx, { practiceId: companyId, clientId: owner.clientId }, file.requestItemId, {
      answeredBy: actor.userId,
      answeredAt: at,
    });
  }
  const after = { file: name, file_id: fileId, ...('workItemId' in owner ? { work_item_id: owner.workItemId } : {}) };
  const action = isFromClient ? 'file.sent_by_client' : isShared ? 'file.shared' : 'file.uploaded';
  await recordAudit(tx, { companyId, at, actor: actor.userId, action, subject: getFileSubject(owner), after, ip });
  if (isShared && 'clientId' in owner)
    await enqueueFileShared(deps, tx, { practiceId: companyId, clientId: owner.clientId }, { fileId, sentBy: actor.userId });
}

/** Locks the owner's row, so that concurrent uploads count towards the same limit. */
async function assertBelowLimits(tx: Tx, owner: FileOwner, addedBytes: number): Promise<void> {
  const { companyId } = owner;
  const [table, id] = 'clientId' in owner ? ['clients', owner.clientId] : ['work_items', owner.workItemId];
  await tx.execute(sql`select from ${sql.identifier(table)} where company_id = ${companyId}::uuid and id = ${id}::uuid for no key update`);
  const [usage = { files: 0, bytes: 0 }] = await tx
    .select({ files: count(), bytes: sql`coalesce(sum(${clientFiles.sizeBytes}), 0)`.mapWith(Number) })
    .from(clientFiles)
    .where(
      and(
        eq(clientFiles.companyId, companyId),
        'clientId' in owner ? eq(clientFiles.clientId, owner.clientId) : eq(clientFiles.workItemId, owner.workItemId),
        isNull(clientFiles.removedAt),
      ),
    );
  if (usage.files < MAX_FILES && usage.bytes + addedBytes <= MAX_TOTAL_FILE_BYTES) return;
  const reason = `No more files can be stored: the limit is ${MAX_FILES.toLocaleString('en-GB')} files and ${MAX_TOTAL_FILE_BYTES / 1024 ** 3} GB. Ask your accountant to delete some.`;
  throw new AppError('conflict', 'file.too_many', reason, { field: 'file' });
}
