/** Lets a user resolve a row that matching left ambiguous. */
import type { ImportOutcome, RowChoice } from '@portal/domain/practice/client-import/import-states.ts';
import type { ClientImportRow } from '@portal/contract/client-imports.ts';
import type { Tx } from '@portal/db/database.ts';
import { clientImportRows, clients } from '@portal/db/schema/schema.ts';
import { AppError, invalidField } from '@portal/domain/app-error.ts';
import type { ClientReference } from '@portal/domain/practice/client-import/imported-client.ts';
import { judgeImportRow } from '@portal/domain/practice/client-import/parse-import-row.ts';
import { and, eq } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import { nothingHere } from '../../http/policies.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { listImportRows } from './import-queries.ts';
import { loadGround } from './run-import.ts';
import { lockImport, type Clicker } from './start-import.ts';
import { takeInRows, type ImportKey } from './take-in-rows.ts';
import { enqueueWorkOut } from './work-out-days.ts';

export type ChosenRow = { readonly row: number; readonly choice: RowChoice; readonly clientId: string | undefined };

const OUTCOMES = { client: 'matched', new: 'new', skip: 'skipped' } as const satisfies Record<ChosenRow['choice'], ImportOutcome>;

/** Before the import has run, the choice is only stored. Afterwards the row is applied at once. */
export async function resolveRow(deps: AppDeps, key: ImportKey, chosen: ChosenRow, clicker: Clicker): Promise<ClientImportRow> {
  return deps.database.db.transaction(async (tx) => {
    const { state } = await lockImport(tx, key);
    if (state === 'importing')
      throw new AppError('conflict', 'clients.import_running', 'The import is running. Settle this row when it is done.');
    if (state === 'undone') throw new AppError('conflict', 'clients.import_undone', 'This import was undone. Send the file again.');
    const found = await lockRow(tx, key, chosen.row);
    await refuseImpossible(tx, key.companyId, found.said, chosen);
    const clientId = chosen.choice === 'client' ? (chosen.clientId ?? null) : null;
    await tx
      .update(clientImportRows)
      .set({ outcome: OUTCOMES[chosen.choice], choice: chosen.choice, clientId, problems: chosen.choice === 'skip' ? found.problems : [] })
      .where(isRow(key, chosen.row));
    const isOver = state !== 'ready';
    if (isOver && chosen.choice !== 'skip') {
      const moment = { now: deps.clock.now(), today: deps.clock.today() };
      const row = { row: chosen.row, said: found.said, choice: chosen.choice, clientId };
      await takeInRows(tx, key, [row], await loadGround(tx, key.companyId), moment);
      await enqueueWorkOut(deps, tx, key);
    }
    const after = { row: chosen.row, choice: chosen.choice, clientId };
    const { companyId, importId } = key;
    await recordAudit(tx, {
      companyId,
      at: deps.clock.now(),
      actor: clicker.userId,
      action: 'clients.import_row_settled',
      subject: importId,
      after,
      ip: clicker.ip,
    });
    const [row] = (await listImportRows(tx, key, { row: chosen.row, after: 0, limit: 1 })).rows;
    if (!row) throw nothingHere();
    return row;
  });
}

async function lockRow(tx: Tx, key: ImportKey, row: number): Promise<typeof clientImportRows.$inferSelect> {
  const [found] = await tx.select().from(clientImportRows).where(isRow(key, row)).for('update');
  if (!found) throw nothingHere();
  const isOpen = found.outcome === 'ambiguous' || (found.choice !== null && found.appliedAt === null);
  if (!isOpen) throw new AppError('conflict', 'clients.row_is_settled', 'This row is settled already.');
  return found;
}

/** A new client must not take a reference of another client, and the chosen client must belong to the practice. */
async function refuseImpossible(
  tx: Tx,
  companyId: string,
  said: Parameters<typeof judgeImportRow>[0],
  { choice, clientId }: ChosenRow,
): Promise<void> {
  if (choice === 'client') {
    const [found] = await tx
      .select({ id: clients.id })
      .from(clients)
      .where(and(eq(clients.companyId, companyId), eq(clients.id, clientId ?? '00000000-0000-0000-0000-000000000000')));
    if (!found) throw invalidField('client_id', 'Choose one of the clients.');
  }
  if (choice !== 'new') return;
  const { client } = judgeImportRow(said);
  const { holders } = await loadGround(tx, companyId);
  const [held] = client === null ? [] : holders.othersHolding(client);
  if (!held) return;
  throw new AppError(
    'conflict',
    'clients.reference_taken',
    `Another client has this ${REFERENCE_WORDS[held.field]}, and two clients cannot share it. Choose that client, or correct it first.`,
    { field: held.field },
  );
}

const REFERENCE_WORDS: Readonly<Record<ClientReference, string>> = {
  vrn: 'VAT number',
  utr: 'UTR',
  nino: 'National Insurance number',
  company_number: 'company number',
  paye_reference: 'PAYE reference',
};

function isRow({ companyId, importId }: ImportKey, row: number) {
  return and(eq(clientImportRows.companyId, companyId), eq(clientImportRows.importId, importId), eq(clientImportRows.row, row));
}
