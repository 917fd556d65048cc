/** Counts what the practice's rules would assign if an import started now. */
import type { clientImportsApi } from '@portal/contract/client-imports.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { Db } from '@portal/db/database.ts';
import { clientImportRows } from '@portal/db/schema/schema.ts';
import { and, asc, eq, gt, isNull } from '@portal/db/sql.ts';
import { validateImportRow } from '@portal/domain/client-imports/parse-import-row.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { findMatchingRules } from '@portal/domain/team/assignment-rules.ts';
import { loadAssignmentRules, toWireRule } from '../assignment/assignment-rules.ts';
import type { ImportKey } from './apply-rows.ts';

type Preview = EndpointOutput<typeof clientImportsApi.assignments>;

/** Other requests can run between pages. */
const ROWS_PER_PAGE = 500;

export async function previewAssignments(db: Db, { companyId, importId }: ImportKey, today: PlainDate): Promise<Preview> {
  const rules = await loadAssignmentRules(db, companyId);
  const counts = rules.map(() => 0);
  let [newClients, unassignedCount, afterRow] = [0, 0, 0];
  // Without rules, there is no need to read any rows.
  while (rules.length > 0) {
    const rows = await db
      .select({ row: clientImportRows.row, rawValues: clientImportRows.rawValues })
      .from(clientImportRows)
      .where(
        and(
          eq(clientImportRows.companyId, companyId),
          eq(clientImportRows.importId, importId),
          eq(clientImportRows.outcome, 'new'),
          isNull(clientImportRows.appliedAt),
          gt(clientImportRows.row, afterRow),
        ),
      )
      .orderBy(asc(clientImportRows.row))
      .limit(ROWS_PER_PAGE);
    for (const { rawValues } of rows) {
      const { client } = validateImportRow(rawValues, today);
      if (client === null) continue;
      const matchingRules = findMatchingRules(rules, client);
      newClients += 1;
      if (matchingRules.length === 0) unassignedCount += 1;
      for (const index of matchingRules) counts[index] = (counts[index] ?? 0) + 1;
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_PER_PAGE) break;
    afterRow = last.row;
  }
  return {
    rules: rules.map((rule, index) => ({ ...toWireRule(rule), clients: counts[index] ?? 0 })),
    new_clients: newClients,
    unassigned: unassignedCount,
  };
}
