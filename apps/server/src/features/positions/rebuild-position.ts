/** Rebuilds positions from the newest observations. Nothing else writes tax_positions, due_items or the amounts in client_rows. */
import type { Tx } from '@portal/db/database.ts';
import { calculatePosition } from '@portal/domain/positions/calculate-position.ts';
import { TAXES, type Tax } from '@portal/domain/uk-tax/tax.ts';

import { loadFacts } from './load-facts.ts';
import { lockClients, type LockedClient } from './lock-clients.ts';
import { recordPositionChanges } from './record-position-changes.ts';
import { writeClientRows } from './write-client-rows.ts';
import { writePositions, type ClientPosition, type RebuildScope } from './write-positions.ts';

/** Rebuilds one client's position for one tax, in the caller's transaction. The caller must also call `enqueueTotals`. */
export function rebuildPosition(
  tx: Tx,
  { clientId, tax, ...scope }: RebuildScope & { readonly tax: Tax; readonly clientId: string },
): Promise<void> {
  return rebuildTaxes(tx, scope, { [tax]: [clientId] });
}

/** Rebuilds one tax of many clients. */
export function rebuildPositions(
  tx: Tx,
  { clientIds, tax, ...scope }: RebuildScope & { readonly tax: Tax; readonly clientIds: readonly string[] },
): Promise<void> {
  return rebuildTaxes(tx, scope, { [tax]: clientIds });
}

/** IDs of the clients to rebuild, by tax. */
export type ClientIdsByTax = Readonly<Partial<Record<Tax, readonly string[]>>>;

/** Limits the data read and the size of the JSON parameters per batch. */
const BATCH_SIZE = 200;

/**
 * Rebuilds many clients of several taxes with a fixed number of statements per batch, and writes each list row once. Deletes the position
 * of a client that no longer has the tax. The clients stay locked until the caller's transaction ends, so a concurrent rebuild of the same
 * client waits and then sees the new data.
 */
export async function rebuildTaxes(tx: Tx, scope: RebuildScope, clientIdsByTax: ClientIdsByTax): Promise<void> {
  const clients = await lockClients(
    tx,
    scope.companyId,
    TAXES.flatMap((tax) => clientIdsByTax[tax] ?? []),
  );
  const requestedClients = new Map(TAXES.map((tax) => [tax, new Set(clientIdsByTax[tax])]));
  for (let from = 0; from < clients.length; from += BATCH_SIZE)
    await rebuildBatch(tx, scope, clients.slice(from, from + BATCH_SIZE), requestedClients);
}

async function rebuildBatch(
  tx: Tx,
  scope: RebuildScope,
  clients: readonly LockedClient[],
  requestedClients: ReadonlyMap<Tax, ReadonlySet<string>>,
): Promise<void> {
  const { companyId, today } = scope;
  const positions: ClientPosition[] = [];
  for (const tax of TAXES) {
    const taxClients = clients.filter(({ id }) => requestedClients.get(tax)?.has(id));
    if (taxClients.length === 0) continue;
    const taxFacts = await loadFacts(tx, companyId, tax, taxClients);
    const facts = new Map(taxFacts.map((entry) => [entry.clientId, entry.facts]));
    for (const { id } of taxClients) {
      const clientFacts = facts.get(id);
      positions.push({ clientId: id, tax, position: clientFacts ? calculatePosition(tax, clientFacts, today) : null });
    }
  }
  const { cause, now } = scope;
  if (cause !== undefined) await recordPositionChanges(tx, { companyId, now, cause }, positions);
  await writePositions(tx, scope, positions);
  await writeClientRows(
    tx,
    companyId,
    clients.map(({ id }) => id),
    today,
  );
}
