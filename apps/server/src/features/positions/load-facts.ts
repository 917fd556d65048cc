/** Loads clients' newest observations: the facts that their positions are computed from. */
import type { Db, Tx } from '@portal/db/database.ts';
import { clientObservations, clients, clientSyncs, type ObservationKind } from '@portal/db/schema/schema.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { keepOnePerPeriod } from '@portal/domain/positions/one-per-period.ts';
import type { SourcedFacts, TaxFacts } from '@portal/domain/positions/tax-facts.ts';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import { getAccountsStart, getYearEnd } from '@portal/providers/companies-house/companies-house-map.ts';
import { toVatCharge, toVatObligations, toVatPenalties } from '@portal/providers/hmrc/vat-facts-map.ts';
import { and, desc, eq, getTableColumns, inArray } from '@portal/db/sql.ts';
import type { LockedClient } from './lock-clients.ts';
import type { ObservationBodies } from './observation-bodies.ts';
import { isOfPresentReference } from './observation-reference.ts';

/** The observations that each tax's position is computed from. */
const OBSERVATION_KINDS: Readonly<Record<Tax, readonly ObservationKind[]>> = {
  vat: ['vat_obligations', 'vat_liabilities', 'vat_payments', 'vat_penalties'],
  paye: ['paye_statement'],
  ct: ['ct_statement', 'companies_house_profile'],
  sa: ['sa_balance', 'sa_payments', 'sa_obligations'],
};

/** A client that has the tax, with the known facts about it. */
export type ClientFacts = { readonly clientId: string; readonly facts: TaxFacts };

/** Loads the facts of clients that have the tax, and leaves out other clients. Runs two statements, however many clients there are. */
export async function loadFacts(
  tx: Tx,
  companyId: string,
  tax: Tax,
  lockedClients: readonly LockedClient[],
): Promise<readonly ClientFacts[]> {
  const taxClients = lockedClients.filter(({ has }) => has[tax]);
  if (taxClients.length === 0) return [];
  const ids = taxClients.map(({ id }) => id);
  const syncs = await tx
    .select({ clientId: clientSyncs.clientId, readAt: clientSyncs.readAt, reason: clientSyncs.reason })
    .from(clientSyncs)
    .where(and(eq(clientSyncs.companyId, companyId), inArray(clientSyncs.clientId, ids), eq(clientSyncs.tax, tax)));
  const rows = await listLatestObservations(tx, companyId, tax, ids);
  const byClient = Map.groupBy(rows, ({ clientId }) => clientId);
  const syncByClient = new Map(syncs.map((sync) => [sync.clientId, sync]));
  return taxClients.map(({ id, yearEndOn }) => {
    const sync = syncByClient.get(id);
    const facts = toTaxFacts(tax, new Observations(byClient.get(id) ?? [], sync?.readAt ?? null));
    const year = facts.yearEndOn ?? yearEndOn ?? undefined;
    return {
      clientId: id,
      facts: {
        ...facts,
        ...(tax === 'ct' && year !== undefined ? { yearEndOn: year } : {}),
        ...(sync?.reason === 'insolvent' ? { isInsolvent: true } : {}),
      },
    };
  });
}

type ObservationRow = typeof clientObservations.$inferSelect;

/** Lists the newest observation of each kind that a tax needs, and of `otherKinds`, for several clients, under their present references. */
export function listLatestObservations(
  db: Db | Tx,
  companyId: string,
  tax: Tax,
  clientIds: readonly string[],
  otherKinds: readonly ObservationKind[] = [],
): Promise<ObservationRow[]> {
  const kinds = [...OBSERVATION_KINDS[tax], ...otherKinds];
  return db
    .selectDistinctOn([clientObservations.clientId, clientObservations.kind], getTableColumns(clientObservations))
    .from(clientObservations)
    .innerJoin(clients, and(eq(clients.companyId, clientObservations.companyId), eq(clients.id, clientObservations.clientId)))
    .where(
      and(
        eq(clientObservations.companyId, companyId),
        inArray(clientObservations.clientId, [...clientIds]),
        inArray(clientObservations.kind, kinds),
        isOfPresentReference('clients', 'client_observations', kinds),
      ),
    )
    .orderBy(clientObservations.clientId, clientObservations.kind, desc(clientObservations.takenAt));
}

/** The newest observation of each kind. HMRC's are dated by the last refresh that found them unchanged. */
class Observations {
  readonly #rows: readonly ObservationRow[];
  readonly #readAt: Instant | null;

  constructor(rows: readonly ObservationRow[], readAt: Instant | null) {
    this.#rows = rows;
    this.#readAt = readAt;
  }

  read<Kind extends ObservationKind, Facts>(kind: Kind, map: (body: ObservationBodies[Kind]) => Facts): SourcedFacts<Facts> | undefined {
    const row = this.#rows.find((item) => item.kind === kind);
    if (!row) return undefined;
    const isConfirmedLater = row.source === 'hmrc' && this.#readAt !== null && this.#readAt > row.takenAt;
    const asOf = isConfirmedLater && this.#readAt !== null ? this.#readAt : row.takenAt;
    return { source: row.source, asOf, facts: map(row.body as ObservationBodies[Kind]) };
  }
}

function toTaxFacts(tax: Tax, observations: Observations): TaxFacts {
  switch (tax) {
    case 'vat':
      return omitUndefined({
        obligations: observations.read('vat_obligations', toVatObligations),
        charges: observations.read('vat_liabilities', ({ charges, olderCharges }) => [...olderCharges, ...charges].map(toVatCharge)),
        payments: observations.read('vat_payments', (list) => list),
        penalties: observations.read('vat_penalties', toVatPenalties),
      });
    case 'sa':
      return omitUndefined({
        obligations: observations.read('sa_obligations', (list) => keepOnePerPeriod(list, 'open')),
        charges: observations.read('sa_balance', ({ charges }) => charges),
        payments: observations.read('sa_payments', (list) => list),
      });
    case 'paye':
      return omitUndefined({
        charges: observations.read('paye_statement', ({ charges }) => charges),
        payments: observations.read('paye_statement', ({ payments }) => payments),
        pays: observations.read('paye_statement', ({ pays }) => pays)?.facts,
      });
    case 'ct':
      return omitUndefined({
        charges: observations.read('ct_statement', ({ charges }) => charges),
        payments: observations.read('ct_statement', ({ payments }) => payments),
        obligations: observations.read('ct_statement', ({ returns }) => returns ?? []),
        yearEndOn: observations.read('companies_house_profile', getYearEnd)?.facts,
        accountsFrom: observations.read('companies_house_profile', getAccountsStart)?.facts,
      });
  }
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function omitUndefined<T extends object>(facts: T): Defined<T> {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as Defined<T>;
}
