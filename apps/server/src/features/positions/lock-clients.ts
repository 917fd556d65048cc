/** Serialises everything that recomputes positions: refreshes, statements, imports and users' changes. */
import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import type { Tx } from '@portal/db/database.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { sql } from '@portal/db/sql.ts';

/** The part of a client that its position depends on. */
export type LockedClient = {
  readonly id: string;
  readonly yearEndOn: PlainDate | null;
  readonly has: Readonly<Record<Tax, boolean>>;
};

/**
 * Locks those of the clients that exist, until the transaction ends. A transaction locks all its clients in one step and in order of ID, so
 * that two transactions cannot deadlock. Data read before the lock may be out of date.
 */
export async function lockClients(tx: Tx, companyId: string, clientIds: readonly string[]): Promise<readonly LockedClient[]> {
  if (clientIds.length === 0) return [];
  // One JSON parameter instead of one parameter per ID.
  const ids = JSON.stringify([...new Set(clientIds)]);
  const { rows } = await tx.execute<{
    id: string;
    year_end_on: PlainDate | null;
    has_vat: boolean;
    has_paye: boolean;
    has_ct: boolean;
    has_sa: boolean;
  }>(sql`
    select c.id, c.year_end_on, c.has_vat, c.has_paye, c.has_ct, c.has_sa from clients c
    where c.company_id = ${companyId} and c.id = any (select value::uuid from jsonb_array_elements_text(${ids}::jsonb))
    order by c.id for no key update of c`);
  return rows.map((row) => ({
    id: row.id,
    yearEndOn: row.year_end_on,
    has: { vat: row.has_vat, paye: row.has_paye, ct: row.has_ct, sa: row.has_sa },
  }));
}
