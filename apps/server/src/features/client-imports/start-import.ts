/** Starts and cancels imports. */
import type { ImportState } from '@portal/domain/client-imports/import-states.ts';
import { clientImportFiles, clientImports } from '@portal/db/schema/schema.ts';
import { isUniqueViolation } from '@portal/db/sql-errors.ts';
import { AppError } from '@portal/domain/app-error.ts';
import type { Tx } from '@portal/db/database.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { ActingUser } from '../hmrc-connection/with-trader-access-token.ts';
import { sealUserHeaders } from '../hmrc-connection/seal-fraud-headers.ts';
import { enqueueEnrichment } from './enrich-clients.ts';
import type { ImportKey } from './apply-rows.ts';
import { enqueueImportedPositions } from './rebuild-imported-positions.ts';

export type Requester = { readonly userId: string; readonly ip: string };

/**
 * Starting twice has no further effect. A cancelled or failed import resumes with the first row that is not applied. The user's fraud
 * prevention headers are stored for the first refresh, which this click starts too.
 */
export async function startImport(deps: AppDeps, key: ImportKey, user: ActingUser): Promise<void> {
  const requester = { userId: user.actor.userId, ip: user.caller.ip };
  const { companyId, importId } = key;
  try {
    await deps.database.db.transaction(async (tx) => {
      const { state, rowsRemovedAt } = await lockImport(tx, key);
      if (state === 'importing' || state === 'completed') return;
      if (state === 'mapping')
        throw new AppError('conflict', 'clients.columns_unknown', 'First choose what each column of the file contains.');
      if (state === 'undone' || state === 'checking') {
        throw new AppError(
          'conflict',
          'clients.import_not_startable',
          'This import was undone. Upload the file again to import its clients.',
        );
      }
      if (rowsRemovedAt !== null) {
        throw new AppError('conflict', 'clients.rows_gone', 'The rows of this import have been deleted. Upload the file again.');
      }
      const fraudHeaders = sealUserHeaders(deps, companyId, user);
      await tx.update(clientImports).set({ state: 'importing', endedAt: null, reason: null, fraudHeaders }).where(matchesImport(key));
      await tx.delete(clientImportFiles).where(and(eq(clientImportFiles.companyId, companyId), eq(clientImportFiles.importId, importId)));
      await auditStateChange(deps, tx, key, requester, 'clients.import_started', { state });
      await enqueueImport(deps, tx, key, { shouldReplaceParked: true });
    });
  } catch (error) {
    if (!isUniqueViolation(error, 'client_imports_live')) throw error;
    throw new AppError(
      'conflict',
      'clients.import_running',
      'Another import for this practice is running. Wait until it finishes, or cancel it. No clients from this file have been imported.',
      { company_id: companyId, import_id: importId },
      error,
    );
  }
}

/** Lets the current step finish. Rows already applied are kept and can be undone. */
export async function cancelImport(deps: AppDeps, key: ImportKey, requester: Requester): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    const { state } = await lockImport(tx, key);
    if (state === 'cancelled') return;
    if (state !== 'importing' && state !== 'ready' && state !== 'mapping') {
      throw new AppError('conflict', 'clients.import_not_running', 'This import has already finished, so you can’t cancel it.');
    }
    await tx.update(clientImports).set({ state: 'cancelled', endedAt: deps.clock.now(), fraudHeaders: null }).where(matchesImport(key));
    await auditStateChange(deps, tx, key, requester, 'clients.import_cancelled', { state });
    await enqueueImportedPositions(deps, tx, key);
    await enqueueEnrichment(deps, tx, key.companyId);
  });
}

export function enqueueImport(
  deps: Pick<AppDeps, 'enqueue'>,
  db: Tx | AppDeps['database']['db'],
  { companyId, importId }: ImportKey,
  { shouldReplaceParked = false } = {},
): Promise<void> {
  const options = { singletonKey: `clients.import:${importId}`, shouldReplaceParked };
  return deps.enqueue(db, 'clients.import', { company_id: companyId, import_id: importId }, options);
}

/** Locks the import, so that concurrent changes of its state run one after another. */
export async function lockImport(tx: Tx, key: ImportKey): Promise<typeof clientImports.$inferSelect> {
  const [lockedImport] = await tx.select().from(clientImports).where(matchesImport(key)).for('update');
  if (!lockedImport) throw createNotFoundError();
  return lockedImport;
}

export function matchesImport({ companyId, importId }: ImportKey) {
  return and(eq(clientImports.companyId, companyId), eq(clientImports.id, importId));
}

function auditStateChange(
  { clock }: AppDeps,
  tx: Tx,
  { companyId, importId }: ImportKey,
  { userId, ip }: Requester,
  action: string,
  previous: { readonly state: ImportState },
): Promise<void> {
  return recordAudit(tx, { companyId, at: clock.now(), actor: userId, action, subject: importId, before: previous, ip });
}
