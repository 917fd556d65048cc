/** A practice's actions on a file: folder and year, sharing it with the client, deleting its content. */
import type { clientFilesApi } from '@portal/contract/client-files.ts';
import type { Tx } from '@portal/db/database.ts';
import { clientFileContents, clientFiles } from '@portal/db/schema/schema.ts';
import { and, eq, isNull } from '@portal/db/sql.ts';
import { AppError } from '@portal/domain/app-error.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Call } from '../../http/serve-contract.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { lockWorkItem } from '../work-items/visible-work-items.ts';
import { enqueueFileShared } from './client-file-emails.ts';
import { isOfOwner } from './client-files-queries.ts';
import { getFileSubject, type FileOwner } from './file-owner.ts';

type DoneResult = { done: true };
type ClientFileCall = Pick<Call<typeof clientFilesApi.remove>, 'actor' | 'caller'>;

export function changeClientFile(deps: AppDeps, call: Call<typeof clientFilesApi.change>): Promise<DoneResult> {
  const { input, tenant, actor, caller } = call;
  const { practiceId: companyId, clientId } = tenant;
  const at = deps.clock.now();
  return deps.database.db.transaction(async (tx) => {
    const file = await lockFile(tx, { companyId, clientId }, input.file_id);
    const wasShared = file.isFromClient || file.sharedAt !== null;
    if (file.isFromClient && !input.is_shared) {
      throw new AppError('conflict', 'file.from_client', 'The client sent this file, so the client can see it. You can delete it instead.');
    }
    if (input.is_shared && file.state === 'infected') {
      throw new AppError('conflict', 'file.infected', 'This file contained a virus and was deleted, so it can’t be shared.');
    }
    const isNewlyShared = input.is_shared && !wasShared;
    await tx
      .update(clientFiles)
      .set({
        folder: input.folder,
        year: input.year,
        sharedAt: isNewlyShared ? at : input.is_shared ? file.sharedAt : null,
      })
      .where(and(eq(clientFiles.companyId, companyId), eq(clientFiles.id, file.id)));
    if (input.is_shared === wasShared) return { done: true };
    const action = isNewlyShared ? 'file.shared' : 'file.unshared';
    const after = { file: file.name, file_id: file.id };
    await recordAudit(tx, { companyId, at, actor: actor.userId, action, subject: clientId, after, ip: caller.ip });
    if (isNewlyShared) await enqueueFileShared(deps, tx, tenant, { fileId: file.id, sentBy: actor.userId });
    return { done: true };
  });
}

export function removeClientFile(deps: AppDeps, call: Call<typeof clientFilesApi.remove>): Promise<DoneResult> {
  const { practiceId: companyId, clientId } = call.tenant;
  return deps.database.db.transaction((tx) => removeFile(deps, tx, call, { companyId, clientId }, call.input.file_id));
}

export function removeWorkFile(deps: AppDeps, call: Call<typeof clientFilesApi.removeOfWork>): Promise<DoneResult> {
  const { input, tenant, actor } = call;
  return deps.database.db.transaction(async (tx) => {
    const item = await lockWorkItem(tx, tenant.practiceId, actor, input.item_id);
    const owner = { companyId: tenant.practiceId, workItemId: item.id, aboutClientId: item.clientId };
    return removeFile(deps, tx, call, owner, input.file_id);
  });
}

/** The row is kept without its content, so that the audit trail and a completed request can still refer to it. */
async function removeFile(deps: AppDeps, tx: Tx, { actor, caller }: ClientFileCall, owner: FileOwner, fileId: string): Promise<DoneResult> {
  const { companyId } = owner;
  const at = deps.clock.now();
  const file = await lockFile(tx, owner, fileId);
  await tx
    .update(clientFiles)
    .set({ removedAt: at })
    .where(and(eq(clientFiles.companyId, companyId), eq(clientFiles.id, file.id)));
  await tx.delete(clientFileContents).where(and(eq(clientFileContents.companyId, companyId), eq(clientFileContents.fileId, file.id)));
  const removedFile = { file: file.name, file_id: file.id, sha256: file.sha256 };
  const entry = { companyId, at, actor: actor.userId, action: 'file.removed', subject: getFileSubject(owner), ip: caller.ip };
  await recordAudit(tx, { ...entry, before: removedFile });
  return { done: true };
}

async function lockFile(tx: Tx, owner: FileOwner, fileId: string): Promise<typeof clientFiles.$inferSelect> {
  const [file] = await tx
    .select()
    .from(clientFiles)
    .where(and(isOfOwner(owner), eq(clientFiles.id, fileId), isNull(clientFiles.removedAt)))
    .for('update');
  if (!file) throw createNotFoundError();
  return file;
}
