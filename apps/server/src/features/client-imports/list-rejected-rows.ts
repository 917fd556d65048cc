/** Lists the rows that an import leaves out, as a file that can be corrected and uploaded again. */
import type { clientImportsApi } from '@portal/contract/client-imports.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { Db } from '@portal/db/database.ts';
import { clientImportRows } from '@portal/db/schema/schema.ts';
import { formatCsvLine, neutraliseCsvCell } from '@portal/domain/books/csv-text.ts';
import { IMPORT_COLUMNS, REASON_HEADING } from '@portal/domain/client-imports/import-columns.ts';
import { and, asc, eq, inArray, isNull } from '@portal/db/sql.ts';
import type { ImportKey } from './apply-rows.ts';

/** Uses the template's columns, which are recognised on upload. Excel needs the byte order mark to read UTF-8. */
export async function listRejectedRows(
  db: Db,
  { companyId, importId }: ImportKey,
  fileName: string,
): Promise<EndpointOutput<typeof clientImportsApi.rejected>> {
  const rows = await db
    .select({ row: clientImportRows.row, rawValues: clientImportRows.rawValues, problems: clientImportRows.problems })
    .from(clientImportRows)
    .where(
      and(
        eq(clientImportRows.companyId, companyId),
        eq(clientImportRows.importId, importId),
        inArray(clientImportRows.outcome, ['invalid', 'ambiguous', 'duplicate']),
        isNull(clientImportRows.appliedAt),
      ),
    )
    .orderBy(asc(clientImportRows.row));
  const lines = rows.map(({ row, rawValues, problems }) => {
    const reasons = problems.map(({ field, problem }) => (field === '' ? problem : `${field}: ${problem}`)).join(' ');
    return [...IMPORT_COLUMNS.map((column) => rawValues[column] ?? ''), `Line ${row}. ${reasons}`];
  });
  const header = [...IMPORT_COLUMNS, REASON_HEADING];
  const csv = [header, ...lines].map((cells) => `${formatCsvLine(cells.map((cell) => neutraliseCsvCell(cell)))}\r\n`).join('');
  return { file_name: `${fileName.replace(/\.[^.]+$/, '')} - rows to fix.csv`, rows: rows.length, csv: `\uFEFF${csv}` };
}
