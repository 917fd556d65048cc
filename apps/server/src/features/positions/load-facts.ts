/** Loads the newest observations of clients as the facts from which a position is computed. */
import type { Tx } from '@portal/db/database.ts';
import { clientObservations, clientSyncs, type ObservationKind } from '@portal/db/schema/schema.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { sumPence, ZERO } from '@portal/domain/money.ts';
import type { ChargeFact, ChargeKind, ObligationFact, PenaltyFact, Read, TaxFacts } from '@portal/domain/practice/positions/facts.ts';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import type { Liability, Obligation } from '@portal/providers/hmrc/hmrc-terms.ts';
import type { VatPenalties } from '@portal/providers/hmrc-agent/vat-penalties-client.ts';
import { and, desc, eq, inArray } from 'drizzle-orm';
import type { LockedClient } from './lock-clients.ts';
import { yearEndOf, type ObservationBodies } from './observation-bodies.ts';

/** The observations from which each tax's position is computed. */
export const KINDS: Readonly<Record<Tax, readonly ObservationKind[]>> = {
  vat: ['vat_obligations', 'vat_liabilities', 'vat_payments', 'vat_penalties'],
  paye: ['paye_statement'],
  ct: ['ct_statement', 'companies_house_profile'],
  sa: ['sa_balance', 'sa_payments', 'sa_obligations'],
};

/** A client that has the tax, with the facts known about it. */
export type ClientFacts = { readonly clientId: string; readonly facts: TaxFacts };

/** Facts of the clients that have the tax; others are left out. Two statements for any number of clients. */
export async function loadFacts(tx: Tx, companyId: string, tax: Tax, locked: readonly LockedClient[]): Promise<readonly ClientFacts[]> {
  const found = locked.filter(({ has }) => has[tax]);
  if (found.length === 0) return [];
  const ids = found.map(({ id }) => id);
  const syncs = await tx
    .select({ clientId: clientSyncs.clientId, readAt: clientSyncs.readAt, reason: clientSyncs.reason })
    .from(clientSyncs)
    .where(and(eq(clientSyncs.companyId, companyId), inArray(clientSyncs.clientId, ids), eq(clientSyncs.tax, tax)));
  const rows = await tx
    .selectDistinctOn([clientObservations.clientId, clientObservations.kind])
    .from(clientObservations)
    .where(
      and(
        eq(clientObservations.companyId, companyId),
        inArray(clientObservations.clientId, ids),
        inArray(clientObservations.kind, [...KINDS[tax]]),
      ),
    )
    .orderBy(clientObservations.clientId, clientObservations.kind, desc(clientObservations.takenAt));
  const byClient = Map.groupBy(rows, ({ clientId }) => clientId);
  const syncOf = new Map(syncs.map((sync) => [sync.clientId, sync]));
  return found.map(({ id, yearEndOn }) => {
    const sync = syncOf.get(id);
    const facts = factsOf(tax, new Observations(byClient.get(id) ?? [], sync?.readAt ?? null));
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

type Row = typeof clientObservations.$inferSelect;

/** The newest observation of each kind. HMRC's are dated by the last refresh that found them unchanged. */
class Observations {
  readonly #rows: readonly Row[];
  readonly #readAt: Instant | null;

  constructor(rows: readonly Row[], readAt: Instant | null) {
    this.#rows = rows;
    this.#readAt = readAt;
  }

  read<Kind extends ObservationKind, Facts>(kind: Kind, map: (body: ObservationBodies[Kind]) => Facts): Read<Facts> | undefined {
    const row = this.#rows.find((one) => one.kind === kind);
    if (!row) return undefined;
    const isFresher = row.source === 'hmrc' && this.#readAt !== null && this.#readAt > row.takenAt;
    const asOf = isFresher && this.#readAt !== null ? this.#readAt : row.takenAt;
    return { source: row.source, asOf, facts: map(row.body as ObservationBodies[Kind]) };
  }
}

function factsOf(tax: Tax, seen: Observations): TaxFacts {
  switch (tax) {
    case 'vat':
      return withoutUndefined({
        obligations: seen.read('vat_obligations', (list) => onePerPeriod(list.map(vatObligation), 'fulfilled')),
        charges: seen.read('vat_liabilities', ({ charges, olderCharges }) => [...olderCharges, ...charges].map(vatCharge)),
        payments: seen.read('vat_payments', (list) => list),
        penalties: seen.read('vat_penalties', vatPenalties),
      });
    case 'sa':
      return withoutUndefined({
        obligations: seen.read('sa_obligations', (list) => onePerPeriod(list, 'open')),
        charges: seen.read('sa_balance', ({ charges }) => charges),
        payments: seen.read('sa_payments', (list) => list),
      });
    case 'paye':
      return withoutUndefined({
        charges: seen.read('paye_statement', ({ charges }) => charges),
        payments: seen.read('paye_statement', ({ payments }) => payments),
        pays: seen.read('paye_statement', ({ pays }) => pays)?.facts,
      });
    case 'ct':
      return withoutUndefined({
        charges: seen.read('ct_statement', ({ charges }) => charges),
        payments: seen.read('ct_statement', ({ payments }) => payments),
        obligations: seen.read('ct_statement', ({ returns }) => returns ?? []),
        yearEndOn: seen.read('companies_house_profile', yearEndOf)?.facts,
      });
  }
}

function vatObligation({ start, end, due, status, received }: Obligation): ObligationFact {
  return { kind: 'return', start, end, due, status, ...(received === undefined ? {} : { received }) };
}

/**
 * One obligation for each period, preferring the given status: a VAT number can have two keys for one period, and a person two businesses.
 */
function onePerPeriod(list: readonly ObligationFact[], preferred: ObligationFact['status']): readonly ObligationFact[] {
  const byPeriod = new Map<string, ObligationFact>();
  for (const one of list) {
    const key = `${one.kind} ${one.start} ${one.end}`;
    if (!byPeriod.has(key) || one.status === preferred) byPeriod.set(key, one);
  }
  return [...byPeriod.values()];
}

function vatPenalties({ activePoints, pointsThreshold, lateReturns, latePayments }: VatPenalties): PenaltyFact {
  return {
    points: activePoints,
    ...(pointsThreshold > 0 ? { threshold: pointsThreshold } : {}),
    lateSubmissionOutstanding: sumPence(lateReturns.map(({ charge }) => charge?.outstanding ?? ZERO)),
    latePaymentOutstanding: sumPence(latePayments.map(({ status, outstanding }) => (status === 'posted' ? outstanding : ZERO))),
  };
}

/** HMRC's charge types are free text (docs/reference/hmrc.md section 3.7). Interest and penalties are recognised by their wording. */
function vatCharge({ type, original, outstanding, due, period }: Liability): ChargeFact {
  const kind: ChargeKind = /interest|\bLPI\b/i.test(type)
    ? 'interest'
    : /penalt|surcharge|\b[12](st|nd) LPP\b|\bLSP\b/i.test(type)
      ? 'penalty'
      : 'tax';
  return {
    title: type,
    kind,
    original,
    outstanding,
    ...(due === undefined ? {} : { due }),
    ...(period === undefined ? {} : { period }),
  };
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function withoutUndefined<T extends object>(facts: T): Defined<T> {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as Defined<T>;
}
