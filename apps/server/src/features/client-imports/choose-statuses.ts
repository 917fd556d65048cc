/** Applies a user's choice about prospects, and about existing clients whose status differs, before the import starts. */
import { clientImportRows, clientImports } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import type { StatusChoices } from '@portal/domain/client-imports/client-status-text.ts';
import { and, eq, isNull } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { ImportKey } from './apply-rows.ts';
import { lockImport, matchesImport, type Requester } from './start-import.ts';

export async function chooseStatuses(deps: AppDeps, key: ImportKey, choices: StatusChoices, requester: Requester): Promise<void> {
  const { companyId, importId } = key;
  await deps.database.db.transaction(async (tx) => {
    const { state, statusChoices } = await lockImport(tx, key);
    if (state !== 'ready')
      throw new AppError(
        'conflict',
        'clients.import_started',
        'This import has already started. Change the status of its clients in the client list.',
      );
    await tx.update(clientImports).set({ statusChoices: choices }).where(matchesImport(key));
    const [from, to] = choices.prospects === 'archive' ? (['not_client', 'new'] as const) : (['new', 'not_client'] as const);
    // A prospect that a user has resolved as a new client is still imported.
    await tx
      .update(clientImportRows)
      .set({ outcome: to })
      .where(
        and(
          eq(clientImportRows.companyId, companyId),
          eq(clientImportRows.importId, importId),
          eq(clientImportRows.clientStatus, 'prospect'),
          eq(clientImportRows.outcome, from),
          isNull(clientImportRows.choice),
        ),
      );
    await recordAudit(tx, {
      companyId,
      at: deps.clock.now(),
      actor: requester.userId,
      action: 'clients.import_statuses_chosen',
      subject: importId,
      before: statusChoices,
      after: choices,
      ip: requester.ip,
    });
  });
}
