/**
 * Reads a statement file as it arrives and stores its rows for the import job, so that memory use does not depend on the size of the file.
 */
import { randomUUID } from 'node:crypto';
import type { Tx } from '@portal/db/database.ts';
import { clients, taxStatements } from '@portal/db/schema/schema.ts';
import { isUniqueViolation } from '@portal/db/sql-errors.ts';
import { AppError } from '@portal/domain/app-error.ts';
import {
  createStatementMatcher,
  type MatchedRow,
  type StatementClient,
  type StatementRow,
} from '@portal/domain/practice/statements/gather-statements.ts';
import type { StatementTax } from '@portal/domain/practice/statements/statement-columns.ts';
import { UnreadableFile } from '@portal/providers/records-file/unreadable-file.ts';
import { and, eq, sql } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import type { Actor } from '../../http/session.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { judgeHeld } from './judge-held.ts';
import { readStatementFile } from './read-statement-file.ts';
import { isStatement, type StatementKey } from './statement-key.ts';
import { enqueueStatement, refuseBesideLive, statementRunning } from './statement-moves.ts';

export type UploadedStatement = {
  readonly companyId: string;
  readonly tax: StatementTax;
  readonly fileName: string;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Dry run: validate only. The import starts when a user confirms it. */
  readonly hold: boolean;
};

/** Rows for each transaction. Kept short, because the embedded database runs nothing else during a transaction. */
const ROWS_A_STEP = 1_000;

/** Stores the rows and queues the import job. If the file cannot be read to its end, everything is deleted again. */
export async function stageStatement(deps: AppDeps, actor: Actor, file: UploadedStatement, ip: string): Promise<StatementKey> {
  const { companyId, tax, fileName, hold } = file;
  const { db } = deps.database;
  await refuseBesideLive(db, companyId, tax);
  const match = createStatementMatcher(tax, await loadClients(deps, companyId, tax));
  const key = { companyId, statementId: randomUUID() };
  let rows = 0;
  try {
    for await (const batch of readStatementFile(file.bytes, { fileName, tax, atLeast: ROWS_A_STEP })) {
      if (rows === 0) await begin(deps, key, { tax, fileName, importedBy: actor.userId });
      for (let from = 0; from < batch.length; from += ROWS_A_STEP) await stageRows(deps, key, batch.slice(from, from + ROWS_A_STEP), match);
      rows += batch.length;
    }
    if (rows === 0) throw refusedFile(2, 'the file has no entry below its header');
    await db.transaction((tx) => setOut(deps, tx, key, { tax, fileName, rows, actor, ip, hold }));
    if (hold) await judgeHeld(deps, key, tax);
    return key;
  } catch (error) {
    if (rows > 0) await db.delete(taxStatements).where(and(isStatement(key), eq(taxStatements.state, 'reading')));
    if (error instanceof UnreadableFile) throw refusedFile(error.line, error.message);
    if (isUniqueViolation(error, 'tax_statements_live')) throw statementRunning(error);
    throw error;
  }
}

async function begin(
  { database, clock, wallClock }: AppDeps,
  { companyId, statementId }: StatementKey,
  of: Pick<typeof taxStatements.$inferInsert, 'tax' | 'fileName' | 'importedBy'>,
): Promise<void> {
  await database.db
    .insert(taxStatements)
    .values({ ...of, companyId, id: statementId, importedAt: clock.now(), state: 'reading', rows: 0, readingAt: wallClock.now() });
}

async function stageRows(
  { database, wallClock }: AppDeps,
  { companyId, statementId }: StatementKey,
  rows: readonly StatementRow[],
  match: (row: StatementRow) => MatchedRow,
): Promise<void> {
  const list = rows.map((one) => {
    const found = match(one);
    if (!found.matched) return found.refused;
    const { entry, pays, problems } = one;
    return { row: one.row, client_id: found.clientId, said: { entry, pays, problems } };
  });
  await database.db.transaction(async (tx) => {
    await tx.execute(sql`
      insert into tax_statement_rows (company_id, statement_id, "row", client_id, said, field, problem)
      select ${companyId}::uuid, ${statementId}::uuid, n."row", n.client_id, n.said, n.field, n.problem
      from jsonb_to_recordset(${JSON.stringify(list)}::jsonb) as n("row" int, client_id uuid, said jsonb, field text, problem text)`);
    await tx
      .update(taxStatements)
      .set({ rows: sql`${taxStatements.rows} + ${rows.length}`, readingAt: wallClock.now() })
      .where(isStatement({ companyId, statementId }));
  });
}

type SetOut = {
  readonly tax: StatementTax;
  readonly fileName: string;
  readonly rows: number;
  readonly actor: Actor;
  readonly ip: string;
  readonly hold: boolean;
};

async function setOut(deps: AppDeps, tx: Tx, key: StatementKey, { tax, fileName, rows, actor, ip, hold }: SetOut): Promise<void> {
  const { companyId, statementId } = key;
  await tx.execute(sql`
    insert into tax_statement_clients (company_id, statement_id, client_id, outcome)
    select distinct company_id, statement_id, client_id, 'waiting' from tax_statement_rows
    where company_id = ${companyId} and statement_id = ${statementId} and client_id is not null`);
  await tx.execute(sql`
    update tax_statements set state = ${hold ? 'ready' : 'importing'}, reading_at = null, rows_done = n.refused, rows_refused = n.refused, clients = n.clients
    from (select
      (select count(*) from tax_statement_rows where company_id = ${companyId} and statement_id = ${statementId} and problem is not null) as refused,
      (select count(*) from tax_statement_clients where company_id = ${companyId} and statement_id = ${statementId}) as clients) as n
    where company_id = ${companyId} and id = ${statementId}`);
  const at = deps.clock.now();
  const after = { tax, file_name: fileName, rows };
  await recordAudit(tx, { companyId, at, actor: actor.userId, action: 'tax_statements.read', subject: statementId, after, ip });
  if (!hold) await enqueueStatement(deps, tx, key);
}

function loadClients({ database }: AppDeps, companyId: string, tax: StatementTax): Promise<StatementClient[]> {
  return database.db
    .select({
      id: clients.id,
      hasTax: { paye: clients.hasPaye, ct: clients.hasCt }[tax],
      paye_reference: clients.payeReference,
      utr: clients.utr,
      company_number: clients.companyNumber,
    })
    .from(clients)
    .where(eq(clients.companyId, companyId));
}

function refusedFile(line: number, reason: string): AppError {
  const sentence = reason.replace(/^line \d+ /i, '');
  return new AppError(
    'impossible',
    'tax_statements.file_refused',
    `We did not take the file, and no figure has changed. Line ${line}: ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`,
    { errors: [{ line, column: '', reason: sentence }] },
  );
}
