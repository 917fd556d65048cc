/** Scans files for viruses. Files stay in quarantine until the scanner gives a verdict, and a job retries until it does. */
import type { Tx } from '@portal/db/database.ts';
import { clientFileContents, clientFiles, users, workItems } from '@portal/db/schema/schema.ts';
import { and, asc, eq, gt, isNull, or, sql } from '@portal/db/sql.ts';
import type { ScanVerdict } from '@portal/providers/clamd/clamd-client.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import type { AppDeps } from '../../app-deps.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { settleItem } from '../client-requests/answer-client-request.ts';
import { enqueueFileRejected } from './client-file-emails.ts';

type FileKey = { readonly companyId: string; readonly fileId: string };

/** The number of files per run. The next run continues. */
const BATCH_SIZE = 50;

/** Returns false if the scanner gave no verdict. A file with a verdict isn't scanned again. */
export async function scanFile(deps: AppDeps, { companyId, fileId }: FileKey, isLate = false): Promise<boolean> {
  const { virusScanner, database } = deps;
  const [content] = await database.db
    .select({ bytes: clientFileContents.bytes })
    .from(clientFiles)
    .innerJoin(
      clientFileContents,
      and(eq(clientFileContents.companyId, clientFiles.companyId), eq(clientFileContents.fileId, clientFiles.id)),
    )
    .where(and(eq(clientFiles.companyId, companyId), eq(clientFiles.id, fileId), eq(clientFiles.state, 'quarantined')));
  if (!content) return true;
  if (!virusScanner) return false;
  let verdict: ScanVerdict;
  try {
    verdict = await virusScanner.scan(content.bytes);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    deps.logger.warn({ err: error, fileId }, 'files: the virus scanner gave no result; the file stays in quarantine');
    return false;
  }
  await database.db.transaction((tx) => recordVerdict(deps, tx, { companyId, fileId }, verdict, isLate));
  return true;
}

async function recordVerdict(deps: AppDeps, tx: Tx, { companyId, fileId }: FileKey, verdict: ScanVerdict, isLate: boolean): Promise<void> {
  const at = deps.clock.now();
  const isFile = and(eq(clientFiles.companyId, companyId), eq(clientFiles.id, fileId));
  const state = verdict.isInfected ? ('infected' as const) : ('clean' as const);
  const [file] = await tx
    .update(clientFiles)
    .set({ state, scannedAt: at, virus: verdict.isInfected ? verdict.signature : null })
    // A request and the job may scan the file at the same time, so the first verdict counts.
    .where(and(isFile, eq(clientFiles.state, 'quarantined')))
    .returning();
  if (!file) return;
  if (file.requestItemId !== null) await settleItem(deps, tx, companyId, file.requestItemId);
  if (!verdict.isInfected) return;
  await tx.delete(clientFileContents).where(and(eq(clientFileContents.companyId, companyId), eq(clientFileContents.fileId, fileId)));
  const [item] =
    file.workItemId === null
      ? []
      : await tx
          .select({ clientId: workItems.clientId })
          .from(workItems)
          .where(and(eq(workItems.companyId, companyId), eq(workItems.id, file.workItemId)));
  const subject = file.clientId ?? item?.clientId ?? file.workItemId ?? fileId;
  const after = { file: file.name, file_id: fileId, virus: verdict.signature };
  await recordAudit(tx, { companyId, at, actor: 'rules', action: 'file.infected', subject, after });
  deps.logger.warn({ fileId, virus: verdict.signature }, 'files: an infected file was deleted');
  // During an upload, the sender sees the verdict in the response.
  if (!isLate) return;
  const [sender] = await tx.select({ email: users.email }).from(users).where(eq(users.id, file.uploadedBy));
  if (sender) await enqueueFileRejected(deps, tx, { companyId, email: sender.email });
}

/** The job scans the oldest files first, until none is left or the scanner gives no verdict. */
export async function scanQuarantined(deps: AppDeps): Promise<void> {
  let last: { companyId: string; id: string } | undefined;
  for (;;) {
    const files = await deps.database.db
      .select({ companyId: clientFiles.companyId, id: clientFiles.id })
      .from(clientFiles)
      .where(
        and(
          eq(clientFiles.state, 'quarantined'),
          isNull(clientFiles.removedAt),
          last &&
            or(
              gt(clientFiles.companyId, last.companyId),
              and(eq(clientFiles.companyId, last.companyId), gt(clientFiles.id, sql`${last.id}::uuid`)),
            ),
        ),
      )
      .orderBy(asc(clientFiles.companyId), asc(clientFiles.id))
      .limit(BATCH_SIZE);
    for (const { companyId, id } of files) {
      if (!(await scanFile(deps, { companyId, fileId: id }, true))) return;
    }
    last = files.at(-1);
    if (files.length < BATCH_SIZE) return;
  }
}
