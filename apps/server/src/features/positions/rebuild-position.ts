/** Rebuilds positions from the newest observations. Nothing else writes tax_positions, due_items or the amounts in client_rows. */
import type { Tx } from '@portal/db/database.ts';
import { positionOf } from '@portal/domain/practice/positions/position-of.ts';
import { TAXES, type Tax } from '@portal/domain/uk-tax/tax.ts';

import { loadFacts } from './load-facts.ts';
import { lockClients, type LockedClient } from './lock-clients.ts';
import { writeClientRows } from './write-client-rows.ts';
import { writePositions, type ClientPosition, type RebuildOf } from './write-positions.ts';

/** One client and tax, in the caller's transaction. The caller must also call `enqueueTotals`. */
export function rebuildPosition(
  tx: Tx,
  { clientId, tax, ...of }: RebuildOf & { readonly tax: Tax; readonly clientId: string },
): Promise<void> {
  return rebuildTaxes(tx, of, { [tax]: [clientId] });
}

/** Many clients of one tax. */
export function rebuildPositions(
  tx: Tx,
  { clientIds, tax, ...of }: RebuildOf & { readonly tax: Tax; readonly clientIds: readonly string[] },
): Promise<void> {
  return rebuildTaxes(tx, of, { [tax]: clientIds });
}

/** The IDs of the clients to rebuild, by tax. */
export type ByTax = Readonly<Partial<Record<Tax, readonly string[]>>>;

/** Limits the data read and the size of the JSON parameters in one batch. */
const AT_A_TIME = 200;

/**
 * Rebuilds many clients of several taxes with a fixed number of statements for each batch, and writes each list row once. A client that no
 * longer has a tax loses its position. The clients stay locked until the caller's transaction ends, so a concurrent rebuild of the same
 * client waits and then sees the new data.
 */
export async function rebuildTaxes(tx: Tx, of: RebuildOf, wanted: ByTax): Promise<void> {
  const clients = await lockClients(
    tx,
    of.companyId,
    TAXES.flatMap((tax) => wanted[tax] ?? []),
  );
  const asked = new Map(TAXES.map((tax) => [tax, new Set(wanted[tax])]));
  for (let from = 0; from < clients.length; from += AT_A_TIME) await rebuildSome(tx, of, clients.slice(from, from + AT_A_TIME), asked);
}

async function rebuildSome(
  tx: Tx,
  of: RebuildOf,
  clients: readonly LockedClient[],
  asked: ReadonlyMap<Tax, ReadonlySet<string>>,
): Promise<void> {
  const { companyId, today } = of;
  const positions: ClientPosition[] = [];
  for (const tax of TAXES) {
    const own = clients.filter(({ id }) => asked.get(tax)?.has(id));
    if (own.length === 0) continue;
    const known = await loadFacts(tx, companyId, tax, own);
    const facts = new Map(known.map((one) => [one.clientId, one.facts]));
    for (const { id } of own) {
      const found = facts.get(id);
      positions.push({ clientId: id, tax, position: found ? positionOf(tax, found, today) : null });
    }
  }
  await writePositions(tx, of, positions);
  await writeClientRows(
    tx,
    companyId,
    clients.map(({ id }) => id),
    today,
  );
}
