/** Lets a user resolve a row that matching left ambiguous. */
import type { ImportOutcome, ImportState, RowChoice } from '@portal/domain/client-imports/import-states.ts';
import type { ClientImportRow } from '@portal/contract/client-imports.ts';
import type { Tx } from '@portal/db/database.ts';
import { clientImportRows, clients } from '@portal/db/schema/schema.ts';
import { AppError, createInvalidFieldError } from '@portal/domain/app-error.ts';
import { REFERENCE_NAMES } from '@portal/domain/client-imports/match-clients.ts';
import { omitSharedReferences } from '@portal/domain/client-imports/shared-references.ts';
import type { RowProblem } from '@portal/domain/client-imports/imported-client.ts';
import { validateImportRow } from '@portal/domain/client-imports/parse-import-row.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { listImportRows } from './import-queries.ts';
import { loadKnownClients, ReferenceHolders } from './known-clients.ts';
import { loadImportContext } from './run-import.ts';
import { lockImport, type Requester } from './start-import.ts';
import { applyRows, type ImportKey } from './apply-rows.ts';
import { enqueueImportedPositions } from './rebuild-imported-positions.ts';

export type ChosenRow = { readonly row: number; readonly choice: RowChoice; readonly clientId: string | undefined };

const OUTCOMES = { client: 'matched', new: 'new', skip: 'skipped' } as const satisfies Record<ChosenRow['choice'], ImportOutcome>;

/** Before the import has run, the choice is only stored. Afterwards the row is applied immediately. */
export async function resolveRow(deps: AppDeps, key: ImportKey, chosenRow: ChosenRow, requester: Requester): Promise<ClientImportRow> {
  return deps.database.db.transaction(async (tx) => {
    const { state, statusChoices } = await lockImport(tx, key);
    assertRowsCanChange(state);
    const lockedRow = await lockRow(tx, key, chosenRow.row);
    const checks = await checkChoice(tx, key.companyId, lockedRow.rawValues, chosenRow);
    const clientId = chosenRow.choice === 'client' ? (chosenRow.clientId ?? null) : null;
    await tx
      .update(clientImportRows)
      .set({
        outcome: OUTCOMES[chosenRow.choice],
        choice: chosenRow.choice,
        clientId,
        problems:
          chosenRow.choice === 'skip'
            ? lockedRow.problems
            : [...validateImportRow(lockedRow.rawValues, deps.clock.today()).problems, ...checks],
        matchedBy: null,
      })
      .where(matchesRow(key, chosenRow.row));
    const hasRun = state !== 'ready';
    if (hasRun && chosenRow.choice !== 'skip') {
      const moment = { now: deps.clock.now(), today: deps.clock.today(), actor: requester.userId };
      const row = { row: chosenRow.row, rawValues: lockedRow.rawValues, choice: chosenRow.choice, clientId };
      await applyRows(tx, key, [row], await loadImportContext(tx, key, moment.today, statusChoices), moment);
      await enqueueImportedPositions(deps, tx, key);
    }
    const after = { row: chosenRow.row, choice: chosenRow.choice, clientId };
    const { companyId, importId } = key;
    await recordAudit(tx, {
      companyId,
      at: deps.clock.now(),
      actor: requester.userId,
      action: 'clients.import_row_settled',
      subject: importId,
      after,
      ip: requester.ip,
    });
    const [row] = (await listImportRows(tx, key, { row: chosenRow.row, after: 0, limit: 1 })).rows;
    if (!row) throw createNotFoundError();
    return row;
  });
}

/** Rejects changes to single rows while the import runs, after it was undone, and before its columns are known. */
export function assertRowsCanChange(state: ImportState): void {
  if (state === 'importing')
    throw new AppError(
      'conflict',
      'clients.import_running',
      'The import is still running. Wait until it finishes, then choose what to do with this row.',
    );
  if (state === 'undone') throw new AppError('conflict', 'clients.import_undone', 'This import was undone. Upload the file again.');
  if (state === 'mapping') throw new AppError('conflict', 'clients.columns_unknown', 'First choose what each column of the file contains.');
}

async function lockRow(tx: Tx, key: ImportKey, row: number): Promise<typeof clientImportRows.$inferSelect> {
  const [lockedRow] = await tx.select().from(clientImportRows).where(matchesRow(key, row)).for('update');
  if (!lockedRow) throw createNotFoundError();
  const isUnresolved = lockedRow.outcome === 'ambiguous' || (lockedRow.choice !== null && lockedRow.appliedAt === null);
  if (!isUnresolved) throw new AppError('conflict', 'clients.row_is_settled', 'You’ve already made a decision on this row.');
  return lockedRow;
}

/**
 * Rejects a new client with a reference that only another client can have, and a chosen client from another practice. Returns the details
 * to check: a VAT number or PAYE reference that another client holds stays with that client.
 */
async function checkChoice(
  tx: Tx,
  companyId: string,
  rawValues: Parameters<typeof validateImportRow>[0],
  { choice, clientId }: ChosenRow,
): Promise<readonly RowProblem[]> {
  if (choice === 'client') {
    const [foundClient] = await tx
      .select({ id: clients.id })
      .from(clients)
      .where(and(eq(clients.companyId, companyId), eq(clients.id, clientId ?? '00000000-0000-0000-0000-000000000000')));
    if (!foundClient) throw createInvalidFieldError('client_id', 'Choose one of the clients.');
  }
  const { client: read } = validateImportRow(rawValues);
  if (choice === 'skip' || read === null) return [];
  const holders = new ReferenceHolders(await loadKnownClients(tx, companyId));
  const client = holders.toDetailsOf(clientId, read);
  const { client: clientWithFreeReferences, problems } = omitSharedReferences(client, holders.listShared(client, clientId));
  const [conflict] = choice === 'new' ? holders.findOtherHolders(clientWithFreeReferences) : [];
  if (!conflict) return problems;
  throw new AppError(
    'conflict',
    'clients.reference_taken',
    `Another client already has this ${REFERENCE_NAMES[conflict.field]}, and two clients can’t share it. Choose that client, or correct it first.`,
    { field: conflict.field },
  );
}

function matchesRow({ companyId, importId }: ImportKey, row: number) {
  return and(eq(clientImportRows.companyId, companyId), eq(clientImportRows.importId, importId), eq(clientImportRows.row, row));
}
