/**
 * HMRC calls for one client's VAT. HMRC allows only 3 calls a second for the whole application, so each call is made only when its response
 * could be new:
 * - open obligations and charges of the last year: every time (2 calls, which is all that an unchanged client costs);
 * - fulfilled obligations: the first time, and when an open one has disappeared;
 * - payments: the first time, and when the charges have changed, because a payment always clears a charge;
 * - older charges: the first time, and while one of them is outstanding;
 * - penalties: the first time, while there are any, and when something is late or charges have changed.
 * The first refresh of a client costs 6 calls. Registration details (`/information`) are never read, because no figure depends on them.
 */
import { addDays, type PlainDate } from '@portal/domain/plain-date.ts';
import type { HmrcClient } from '@portal/providers/hmrc/hmrc-client.ts';
import type { HmrcCall, HmrcPayment, Liability, Obligation } from '@portal/providers/hmrc/hmrc-types.ts';
import type { VatPenalties, VatPenaltiesClient } from '@portal/providers/hmrc-agent/vat-penalties-client.ts';
import { toCanonicalText } from '../positions/canonical-text.ts';
import type { ObservationBodies, VatLiabilitiesBody } from '../positions/observation-bodies.ts';

export type VatClient = Pick<HmrcClient, 'listObligations' | 'listLiabilities' | 'listPayments'> & VatPenaltiesClient;

/** Observation bodies by kind. */
export type ObservedBodies = Partial<ObservationBodies>;

/** HMRC accepts date ranges of at most one year. */
const MAX_RANGE_DAYS = 364;

/** Returns the bodies to save. `recordObservations` skips unchanged ones. */
export async function readVat(
  client: VatClient,
  call: HmrcCall,
  vrn: string,
  previous: ObservedBodies,
  today: PlainDate,
): Promise<ObservedBodies> {
  const from = addDays(today, -MAX_RANGE_DAYS);
  const obligations = await readObligations(client, call, vrn, previous.vat_obligations, { from, to: today });
  const charges = sortCanonically(await client.listLiabilities(call, vrn, { from, to: today }));
  const olderCharges = await readOlderCharges(client, call, vrn, previous.vat_liabilities, charges, from);
  const liabilities = { charges, olderCharges };
  const hasChanged = !isSame(liabilities, previous.vat_liabilities);
  const payments =
    hasChanged || !previous.vat_payments ? await readPayments(client, call, vrn, previous.vat_payments ?? [], from, today) : undefined;
  const penalties =
    hasChanged || mayHavePenalties(previous.vat_penalties, obligations, today) ? await client.listPenalties(call, vrn) : undefined;
  return {
    vat_obligations: obligations,
    vat_liabilities: liabilities,
    ...(payments ? { vat_payments: payments } : {}),
    ...(penalties ? { vat_penalties: penalties } : {}),
  };
}

type DateRange = { readonly from: PlainDate; readonly to: PlainDate };

async function readObligations(
  client: VatClient,
  call: HmrcCall,
  vrn: string,
  previous: readonly Obligation[] | undefined,
  range: DateRange,
): Promise<readonly Obligation[]> {
  const openObligations = await client.listObligations(call, vrn, { status: 'open' });
  const openKeys = new Set(openObligations.map(toObligationKey));
  const filedBefore = (previous ?? []).filter(({ status }) => status === 'fulfilled');
  const isComplete = previous?.every((obligation) => obligation.status === 'fulfilled' || openKeys.has(toObligationKey(obligation)));
  const filedObligations = isComplete ? [] : await client.listObligations(call, vrn, { ...range, status: 'fulfilled' });
  // The latest response for a period takes precedence. Earlier fulfilled obligations are kept after they leave HMRC's date range.
  const byKey = new Map(
    [...filedBefore, ...filedObligations, ...openObligations].map((obligation) => [toObligationKey(obligation), obligation]),
  );
  return sortCanonically([...byKey.values()]);
}

function toObligationKey({ periodKey, start }: Obligation): string {
  return `${periodKey} ${start}`;
}

/** Reads charges that are older than a year or have left the date range since the last refresh. */
async function readOlderCharges(
  client: VatClient,
  call: HmrcCall,
  vrn: string,
  previous: VatLiabilitiesBody | undefined,
  charges: readonly Liability[],
  from: PlainDate,
): Promise<readonly Liability[]> {
  const current = new Set(charges.map(toChargeKey));
  const knownCharges = [...(previous?.olderCharges ?? []), ...(previous?.charges ?? [])].filter(
    (charge) => charge.period && !current.has(toChargeKey(charge)),
  );
  if (previous && knownCharges.every(({ outstanding }) => outstanding === 0)) return sortCanonically(knownCharges);
  const to = addDays(from, -1);
  const foundLiabilities = (await client.listLiabilities(call, vrn, { from: addDays(to, -MAX_RANGE_DAYS), to })).filter(
    // Every response includes charges without a period.
    (charge) => charge.period && !current.has(toChargeKey(charge)),
  );
  const newKeys = new Set(foundLiabilities.map(toChargeKey));
  return sortCanonically([...knownCharges.filter((charge) => !newKeys.has(toChargeKey(charge))), ...foundLiabilities]);
}

/** Identifies a charge by its fields, because HMRC's charges don't have an ID. */
function toChargeKey({ type, period, original }: Liability): string {
  return `${type} ${period?.start ?? ''} ${period?.end ?? ''} ${original}`;
}

async function readPayments(
  client: VatClient,
  call: HmrcCall,
  vrn: string,
  previous: readonly HmrcPayment[],
  from: PlainDate,
  to: PlainDate,
): Promise<readonly HmrcPayment[]> {
  const olderPayments = previous.filter(({ received }) => received !== undefined && received < from);
  const foundPayments = await client.listPayments(call, vrn, { from, to });
  return sortCanonically([...olderPayments, ...foundPayments.filter(({ received }) => received === undefined || received >= from)]);
}

function mayHavePenalties(previous: VatPenalties | undefined, obligations: readonly Obligation[], today: PlainDate): boolean {
  if (!previous || previous.activePoints > 0 || previous.lateReturns.length > 0 || previous.latePayments.length > 0) return true;
  return obligations.some(({ status, due, received }) =>
    status === 'open' ? due < today : received !== undefined && received > due && received >= addDays(today, -MAX_RANGE_DAYS),
  );
}

/** HMRC doesn't document an order. Sorting keeps an unchanged response from looking new. */
function sortCanonically<Item>(items: readonly Item[]): readonly Item[] {
  return items
    .map((item) => ({ item, text: toCanonicalText(item) }))
    .sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0))
    .map(({ item }) => item);
}

function isSame(a: VatLiabilitiesBody, b: VatLiabilitiesBody | undefined): boolean {
  return b !== undefined && toCanonicalText(a) === toCanonicalText(b);
}
