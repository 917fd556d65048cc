/**
 * Builds the tax positions of imported clients after the import, in a separate job, because this takes longer than creating the clients,
 * and users can work with the clients in the meantime.
 */
import type { Tx } from '@portal/db/database.ts';
import { TAXES, type Tax } from '@portal/domain/uk-tax/tax.ts';
import { sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { JobRun } from '../../jobs/job-table.ts';

import { enqueueTotals } from '../positions/refresh-totals.ts';
import { rebuildTaxes } from '../positions/rebuild-position.ts';
import type { ImportKey } from './apply-rows.ts';

const CLIENTS_PER_STEP = 100;

export function enqueueImportedPositions(deps: Pick<AppDeps, 'enqueue'>, tx: Tx, { companyId, importId }: ImportKey): Promise<void> {
  const options = { singletonKey: `clients.rebuild-positions:${importId}` };
  return deps.enqueue(tx, 'clients.rebuild-positions', { company_id: companyId, import_id: importId }, options);
}

/** Builds only missing positions, so an interrupted run resumes where it stopped. */
export async function rebuildImportedPositions(deps: AppDeps, key: ImportKey, { signal }: Pick<JobRun, 'signal'>): Promise<void> {
  let afterRow = 0;
  while (!signal.aborted) {
    const rows = await listClientsMissingPositions(deps, key, afterRow);
    if (rows.length === 0) break;
    afterRow = rows.at(-1)?.row ?? afterRow;
    await deps.database.db.transaction(async (tx) => {
      const scope = { companyId: key.companyId, today: deps.clock.today(), now: deps.clock.now() };
      const listMissing = (tax: Tax) => rows.flatMap((row) => (row.missing.includes(tax) ? [row.client_id] : []));
      await rebuildTaxes(tx, scope, Object.fromEntries(TAXES.map((tax) => [tax, listMissing(tax)])));
    });
  }
  await deps.database.db.transaction((tx) => enqueueTotals(deps, tx, key.companyId));
}

type ClientMissingPositions = { readonly row: number; readonly client_id: string; readonly missing: readonly Tax[] };

async function listClientsMissingPositions(
  { database }: AppDeps,
  { companyId, importId }: ImportKey,
  afterRow: number,
): Promise<readonly ClientMissingPositions[]> {
  const { rows } = await database.db.execute<ClientMissingPositions>(sql`
    select * from (
      select r."row", r.client_id, array_to_json(array(
        select t.tax from (values ('vat', c.has_vat), ('paye', c.has_paye), ('ct', c.has_ct), ('sa', c.has_sa)) as t(tax, has)
        where t.has and not exists (
          select 1 from tax_positions p where p.company_id = c.company_id and p.client_id = c.id and p.tax = t.tax))) as missing
      from client_import_rows r join clients c on c.company_id = r.company_id and c.id = r.client_id
      where r.company_id = ${companyId}::uuid and r.import_id = ${importId}::uuid and r."row" > ${afterRow} and r.applied_at is not null
    ) as found
    where json_array_length(missing) > 0 order by "row" limit ${CLIENTS_PER_STEP}`);
  return rows;
}
