/** Orders whoever works clients out: readings, statements, imports, people. */
import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import type { Tx } from '@portal/db/database.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { sql } from 'drizzle-orm';

/** A client as far as its position must know it. */
export type LockedClient = {
  readonly id: string;
  readonly yearEndOn: PlainDate | null;
  readonly has: Readonly<Record<Tax, boolean>>;
};

/**
 * Those of the clients that are there, locked until the transaction ends. All that a transaction will touch are locked at once and in the order of
 * their ids, so that two never wait for each other; what was read of a client before its lock may be out of date.
 */
export async function lockClients(tx: Tx, companyId: string, clientIds: readonly string[]): Promise<readonly LockedClient[]> {
  if (clientIds.length === 0) return [];
  // No prepared name and no list of parameters: one text, however many.
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
