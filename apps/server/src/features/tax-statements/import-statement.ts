/** Takes a statement file in: read whole, matched with the practice's clients, kept in steps, and named in the list once everything is in. */
import { randomUUID } from 'node:crypto';
import type { TaxStatementUpload } from '@portal/contract/tax-statements.ts';
import { clients, taxStatements } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { gatherStatements, type StatementClient, type StatementRow } from '@portal/domain/practice/statements/gather-statements.ts';
import type { StatementTax } from '@portal/domain/practice/statements/statement-columns.ts';
import { UnreadableFile } from '@portal/providers/records-file/unreadable-file.ts';
import { eq } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import type { Actor } from '../../http/session.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { keepStatements } from './keep-statements.ts';
import { readStatementFile } from './read-statement-file.ts';

export type UploadedStatement = {
  readonly companyId: string;
  readonly tax: StatementTax;
  readonly fileName: string;
  readonly bytes: AsyncIterable<Uint8Array>;
};

const TOLD = 20;

/** Where it ends half-way the statement is not in the list, and the same file again takes in what is left. */
export async function importStatement(deps: AppDeps, actor: Actor, file: UploadedStatement, ip: string): Promise<TaxStatementUpload> {
  const { companyId, tax, fileName } = file;
  const rows = await readRows(file);
  if (rows.length === 0) throw refusedFile(2, 'the file has no entry below its header');
  const { statements, refused } = gatherStatements(tax, rows, await loadClients(deps, companyId, tax));
  const statementId = randomUUID();
  const importedAt = deps.clock.now();
  const kept = await keepStatements(deps, { companyId, tax, statementId, takenAt: importedAt }, statements);
  await deps.database.db.transaction(async (tx) => {
    await tx.insert(taxStatements).values({
      companyId,
      id: statementId,
      tax,
      fileName,
      importedBy: actor.userId,
      importedAt,
      rows: rows.length,
      refused,
    });
    const after = { tax, file_name: fileName, rows: rows.length, refused: refused.length, clients: kept };
    await recordAudit(tx, {
      companyId,
      at: importedAt,
      actor: actor.userId,
      action: 'tax_statements.imported',
      subject: statementId,
      after,
      ip,
    });
  });
  return {
    statement: {
      statement_id: statementId,
      tax_type: tax,
      file_name: fileName,
      imported_by: actor.fullName,
      imported_at: importedAt,
      rows: rows.length,
      refused: refused.length,
    },
    clients: kept,
    first_refused: refused.slice(0, TOLD),
  };
}

async function readRows({ bytes, fileName, tax }: UploadedStatement): Promise<readonly StatementRow[]> {
  try {
    return await readStatementFile(bytes, { fileName, tax });
  } catch (error) {
    if (error instanceof UnreadableFile) throw refusedFile(error.line, error.message);
    throw error;
  }
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
