/** Stores an uploaded client file and validates it before anything is changed: the dry run. */
import { randomUUID } from 'node:crypto';
import type { ClientImport } from '@portal/contract/client-imports.ts';
import { clientImportFiles, clientImports, practices } from '@portal/db/schema/schema.ts';
import { type FileSource, isListSource, type ListSource } from '@portal/domain/client-imports/import-states.ts';
import type { RememberedColumns } from '@portal/domain/client-imports/recognise-columns.ts';
import { inspectClientsFile } from '@portal/providers/clients-file/read-clients-file.ts';
import { and, eq, inArray } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Actor } from '../../http/session.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { getImport } from './import-queries.ts';
import { insertRows, validateRows, withUploadedFile, type ValidatedRow } from './read-uploaded-file.ts';

export type UploadedClients = {
  readonly companyId: string;
  readonly fileName: string;
  readonly source: FileSource | ListSource;
  readonly bytes: AsyncIterable<Uint8Array>;
};

/**
 * Replaces an upload that hasn't been started; started imports are kept. The rows are validated immediately if every column is recognised.
 * Otherwise a user must first choose what the columns contain.
 */
export async function validateClientsFile(deps: AppDeps, actor: Actor, file: UploadedClients, ip: string): Promise<ClientImport> {
  const { companyId, fileName, source } = file;
  const { db } = deps.database;
  const bytes = await readBytes(file.bytes);
  const isList = isListSource(source);
  // The practice's remembered choices apply to headings in other products' files.
  const rememberedColumns = isList ? {} : await loadRememberedColumns(deps, companyId);
  const { table, rows } = await withUploadedFile(bytes, isList ? `${fileName}.csv` : fileName, async (uploadedFile) => {
    const inspectedFile = await inspectClientsFile(uploadedFile, rememberedColumns);
    const validatedRows: readonly ValidatedRow[] | undefined = inspectedFile.isSettled
      ? await validateRows(db, companyId, uploadedFile, inspectedFile.table, deps.clock.today())
      : undefined;
    return { table: inspectedFile.table, rows: validatedRows };
  });
  const importId = randomUUID();
  const at = deps.clock.now();
  return db.transaction(async (tx) => {
    await tx.delete(clientImports).where(and(eq(clientImports.companyId, companyId), inArray(clientImports.state, ['mapping', 'ready'])));
    await tx.insert(clientImports).values({
      companyId,
      id: importId,
      source,
      fileName,
      state: rows === undefined ? 'mapping' : 'ready',
      startedBy: actor.userId,
      createdAt: at,
      rowsTotal: rows?.length ?? 0,
      ignoredColumns: listIgnoredColumns(table),
      table,
    });
    await tx.insert(clientImportFiles).values({ companyId, importId, bytes });
    await insertRows(tx, { companyId, importId }, rows ?? []);
    const after = { fileName, rows: rows?.length ?? null };
    await recordAudit(tx, { companyId, at, actor: actor.userId, action: 'clients.file_read', subject: importId, after, ip });
    // Read inside the transaction, because another member's upload may replace this one immediately.
    return getImport(deps, companyId, importId, tx);
  });
}

/** Lists the columns that have a heading and are not imported. */
export function listIgnoredColumns({
  headings,
  columns,
}: {
  readonly headings: readonly string[];
  readonly columns: readonly unknown[];
}): readonly string[] {
  return headings.filter((heading, index) => heading !== '' && (columns[index] ?? null) === null);
}

export async function loadRememberedColumns({ database }: Pick<AppDeps, 'database'>, companyId: string): Promise<RememberedColumns> {
  const [practiceRow] = await database.db
    .select({ importColumns: practices.importColumns })
    .from(practices)
    .where(eq(practices.companyId, companyId));
  return practiceRow?.importColumns ?? {};
}

/** The size of the body has already been limited. */
async function readBytes(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  // The chunks are copied, because the stream may reuse its buffer.
  for await (const chunk of stream) chunks.push(chunk.slice());
  return Buffer.concat(chunks);
}
