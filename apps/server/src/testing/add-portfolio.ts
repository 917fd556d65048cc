/** Adds generated clients. Their figures come from observations, through the same code as real clients' figures. */
import { clients, clientRows, clientSyncs } from '@portal/db/schema/schema.ts';
import { addMilliseconds, type Instant } from '@portal/domain/clock.ts';
import type { ClientStatus } from '@portal/domain/clients/client.ts';
import { pence } from '@portal/domain/money.ts';
import { addDays, type PlainDate } from '@portal/domain/plain-date.ts';
import { CHARGE_KINDS, type ChargeKind } from '@portal/domain/positions/tax-facts.ts';
import { TAXES, type Tax } from '@portal/domain/uk-tax/tax.ts';
import { eq } from '@portal/db/sql.ts';
import fc from 'fast-check';
import { rebuildTaxes } from '../features/positions/rebuild-position.ts';
import { recordObservations, type Observation } from '../features/positions/record-observations.ts';
import { addClient, assignClient, type TestPractice } from './add-practice.ts';
import type { TestPortal } from './open-test-portal.ts';

/**
 * An amount in pounds, negative for a credit, due in a number of days from today (`null`: the source doesn't give a date). Only Self
 * Assessment has payments on account and balancing payments. `paid`: the part already paid.
 */
export type GeneratedCharge = {
  readonly pounds: number;
  readonly due: number | null;
  readonly kind?: ChargeKind;
  readonly paid?: number;
};

/** `returns` are due dates, in days from today. `readDaysAgo` is null for a tax that has never been read. */
export type GeneratedTax = {
  readonly tax: Tax;
  readonly readDaysAgo: number | null;
  readonly hasFailed: boolean;
  readonly charges: readonly GeneratedCharge[];
  /** A penalty that HMRC lists separately from the charges, due in a number of days. Only VAT has it. */
  readonly penaltyDue?: number | null;
  readonly returns: readonly number[];
  /** Due dates of quarterly updates, in days from today. Only Self Assessment has them. */
  readonly updates?: readonly number[];
};

export type GeneratedClient = {
  readonly status: ClientStatus;
  readonly kind: 'company' | 'individual';
  readonly isAssigned: boolean;
  readonly hasYearEnd: boolean;
  /** Whether the client is then recorded as a member of a VAT group, which the first other client with VAT represents. */
  readonly isGroupMember?: boolean;
  readonly taxes: readonly GeneratedTax[];
};

const day = fc.oneof(fc.integer({ min: -60, max: 120 }), fc.constantFrom(-1, 0, 7, 8, 30, 31, 90, 91));
export const generatedTax: fc.Arbitrary<GeneratedTax> = fc.record({
  tax: fc.constantFrom(...TAXES),
  readDaysAgo: fc.constantFrom(null, 0, 0, 3, 8, 40),
  hasFailed: fc.constantFrom(false, false, false, true),
  charges: fc.array(
    fc.record({
      pounds: fc.integer({ min: -300, max: 2000 }),
      due: fc.oneof({ weight: 9, arbitrary: day }, { weight: 1, arbitrary: fc.constant(null) }),
      kind: fc.constantFrom('tax', ...CHARGE_KINDS),
      paid: fc.constantFrom(0, 0, 25),
    }),
    { maxLength: 4 },
  ),
  penaltyDue: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: day }),
  returns: fc.array(day, { maxLength: 2 }),
  updates: fc.array(day, { maxLength: 2 }),
});

/** Generates portfolios that mix taxes, statuses, assignments, debts, credits and dates, with old, failed and missing readings. */
export const portfolio: fc.Arbitrary<GeneratedClient[]> = fc.array(
  fc.record({
    status: fc.constantFrom('active', 'active', 'active', 'lead', 'inactive', 'closed'),
    kind: fc.constantFrom('company', 'individual'),
    isAssigned: fc.boolean(),
    hasYearEnd: fc.boolean(),
    isGroupMember: fc.constantFrom(false, false, false, true),
    taxes: fc.uniqueArray(generatedTax, { maxLength: 4, selector: ({ tax }) => tax }),
  }),
  { minLength: 24, maxLength: 36 },
);

/** Adds the clients to a practice. Returns their IDs. */
export async function addPortfolio(
  portal: TestPortal,
  practice: TestPractice,
  generatedClients: readonly GeneratedClient[],
): Promise<string[]> {
  const { db } = portal.deps.database;
  const { companyId } = practice;
  const [now, today] = [portal.deps.clock.now(), portal.deps.clock.today()];
  const ids: string[] = [];
  const observations: Observation[] = [];
  const syncs: (typeof clientSyncs.$inferInsert)[] = [];
  for (const { status, kind, isAssigned, hasYearEnd, taxes } of generatedClients) {
    const yearEndOn = hasYearEnd ? addDays(today, -200) : null;
    const id = await addClient(portal, companyId, { kind, taxes: taxes.map(({ tax }) => tax), yearEndOn });
    ids.push(id);
    await db.update(clients).set({ status }).where(eq(clients.id, id));
    await db.update(clientRows).set({ status }).where(eq(clientRows.clientId, id));
    if (isAssigned) await assignClient(portal, companyId, id, practice.memberId);
    for (const generatedTax_ of taxes) {
      const { tax, readDaysAgo, hasFailed } = generatedTax_;
      const readAt = readDaysAgo === null ? null : addMilliseconds(now, -readDaysAgo * 86_400_000);
      syncs.push({ companyId, clientId: id, tax, state: hasFailed ? 'failed' : 'completed', reason: hasFailed ? 'refused' : null, readAt });
      if (readAt === null) continue;
      observations.push(toObservation(id, generatedTax_, readAt, today));
    }
  }
  await db.transaction(async (tx) => {
    if (syncs.length > 0) await tx.insert(clientSyncs).values(syncs);
    await recordObservations(tx, companyId, observations);
    await rebuildTaxes(tx, { companyId, today, now }, Object.fromEntries(TAXES.map((tax) => [tax, ids])));
  });
  await addGroupMembers(practice, ids, generatedClients);
  return ids;
}

/** Their VAT figures, which were read before, must count no more. */
async function addGroupMembers({ admin, companyId }: TestPractice, ids: readonly string[], generatedClients: readonly GeneratedClient[]) {
  const members = ids.filter((_, index) => generatedClients[index]?.isGroupMember);
  const representative = ids.find((id, index) => !members.includes(id) && generatedClients[index]?.taxes.some(({ tax }) => tax === 'vat'));
  if (representative === undefined) return;
  const { body } = await admin.get('/open-tax/client-companies/facts', { company_id: companyId, client_id: representative });
  const { status: _status, ...facts } = body;
  await admin.post('/open-tax/client-companies/facts', { ...facts, company_id: companyId, vrn: '193054661' });
  for (const client_id of members) {
    const input = { company_id: companyId, client_id, role: 'member', representative_id: representative };
    const { status } = await admin.post('/open-tax/client-companies/vat-group', input);
    if (status !== 200) throw new Error(`a generated client couldn’t join the VAT group: ${status}`);
  }
}

/** Records new readings of clients, as a refresh or an imported statement would. Differences are recorded as changes. */
export async function addReadings(
  { deps }: TestPortal,
  { companyId }: TestPractice,
  readings: readonly { readonly clientId: string; readonly reading: GeneratedTax }[],
): Promise<void> {
  const [now, today] = [deps.clock.now(), deps.clock.today()];
  await deps.database.db.transaction(async (tx) => {
    await recordObservations(
      tx,
      companyId,
      readings.map(({ clientId, reading }) => toObservation(clientId, reading, now, today)),
    );
    const listIdsOf = (tax: Tax) => readings.filter(({ reading }) => reading.tax === tax).map(({ clientId }) => clientId);
    await rebuildTaxes(tx, { companyId, today, now, cause: 'data' }, Object.fromEntries(TAXES.map((tax) => [tax, listIdsOf(tax)])));
  });
}

function toObservation(clientId: string, reading: GeneratedTax, takenAt: Instant, today: PlainDate): Observation {
  const source = reading.tax === 'vat' || reading.tax === 'sa' ? 'hmrc' : 'statement';
  return { clientId, source, takenAt, bodies: toBodies(reading, (days) => addDays(today, days)) };
}

const VAT_CHARGE_TYPES: Readonly<Record<ChargeKind, string>> = {
  tax: 'VAT Return Debit Charge',
  on_account: 'VAT Return Debit Charge',
  balancing: 'VAT Return Debit Charge',
  penalty: 'VAT Return 1st LPP',
  interest: 'VAT Return LPI',
};

function toBodies(
  { tax, charges, returns, updates = [], penaltyDue = null }: GeneratedTax,
  toDate: (days: number) => ReturnType<typeof addDays>,
): Observation['bodies'] {
  const facts = charges.map(({ pounds, due, kind = 'tax', paid = 0 }, index) => {
    const isOnlySa = kind === 'on_account' || kind === 'balancing';
    return {
      title: `Charge ${index}`,
      kind: isOnlySa && tax !== 'sa' ? 'tax' : kind,
      type: VAT_CHARGE_TYPES[kind],
      original: pence((pounds < 0 ? pounds : pounds + paid) * 100),
      outstanding: pence(pounds * 100),
      ...(due === null ? {} : { due: toDate(due) }),
    };
  });
  const toObligations = (days: readonly number[], kind: 'return' | 'update') =>
    [...new Set(days)].map((due) => {
      const period = { start: toDate(due - 120), end: toDate(due - 37) };
      return { ...period, due: toDate(due), kind, status: 'open', periodKey: 'A' };
    });
  const obligations = toObligations(returns, 'return');
  switch (tax) {
    case 'vat':
      return [
        { kind: 'vat_liabilities', body: { charges: facts, olderCharges: [] } },
        { kind: 'vat_obligations', body: obligations },
        ...(penaltyDue === null ? [] : [{ kind: 'vat_penalties' as const, body: toPenalties(penaltyDue, toDate) }]),
      ];
    case 'paye':
      return [{ kind: 'paye_statement', body: { charges: facts, payments: [], pays: 'monthly' } }];
    case 'ct':
      return [{ kind: 'ct_statement', body: { charges: facts, payments: [], returns: obligations } }];
    case 'sa':
      return [
        { kind: 'sa_balance', body: { charges: facts } },
        { kind: 'sa_obligations', body: [...obligations, ...toObligations(updates, 'update')] },
      ];
  }
}

function toPenalties(due: number, toDate: (days: number) => ReturnType<typeof addDays>) {
  const amount = pence(200_00);
  const charge = { amount, outstanding: amount, due: toDate(due) };
  const period = { start: toDate(due - 200), end: toDate(due - 110) };
  return {
    activePoints: 4,
    pointsThreshold: 4,
    lateReturns: [{ period, isActive: true, pointExpiresOn: toDate(due + 700), charge }],
    latePayments: [],
  };
}
