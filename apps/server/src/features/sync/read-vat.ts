/**
 * HMRC calls for one client's VAT. HMRC allows only 3 calls a second for the whole application, so each call is made only when its answer
 * can be new:
 * - open obligations and charges of the last year: every time (2 calls, which is all that an unchanged client costs);
 * - fulfilled obligations: the first time, and when an open one has disappeared;
 * - payments: the first time, and when the charges have changed, because a payment always clears a charge;
 * - older charges: the first time, and while one of them is outstanding;
 * - penalties: the first time, while there are any, and when something is late or charges have changed.
 * The first refresh of a client costs 6 calls. Registration details (`/information`) are never read, because no figure depends on them.
 */
import { addDays, type PlainDate } from '@portal/domain/plain-date.ts';
import type { HmrcClient } from '@portal/providers/hmrc/hmrc-client.ts';
import type { HmrcCall, HmrcPayment, Liability, Obligation } from '@portal/providers/hmrc/hmrc-terms.ts';
import type { VatPenalties, VatPenaltiesClient } from '@portal/providers/hmrc-agent/vat-penalties-client.ts';
import { canonicalText } from '../positions/canonical-text.ts';
import type { ObservationBodies, VatLiabilitiesBody } from '../positions/observation-bodies.ts';

export type VatReads = Pick<HmrcClient, 'listObligations' | 'listLiabilities' | 'listPayments'> & VatPenaltiesClient;

/** Observation bodies by kind. */
export type Before = Partial<ObservationBodies>;

/** HMRC accepts date ranges of at most one year. */
const YEAR_DAYS = 364;

/** Returns the bodies to save. `recordObservations` skips unchanged ones. */
export async function readVat(reads: VatReads, call: HmrcCall, vrn: string, before: Before, today: PlainDate): Promise<Before> {
  const from = addDays(today, -YEAR_DAYS);
  const obligations = await readObligations(reads, call, vrn, before.vat_obligations, { from, to: today });
  const charges = inOrder(await reads.listLiabilities(call, vrn, { from, to: today }));
  const olderCharges = await readOlder(reads, call, vrn, before.vat_liabilities, charges, from);
  const liabilities = { charges, olderCharges };
  const isNew = !same(liabilities, before.vat_liabilities);
  const payments = isNew || !before.vat_payments ? await readPayments(reads, call, vrn, before.vat_payments ?? [], from, today) : undefined;
  const penalties = isNew || mayBePenalised(before.vat_penalties, obligations, today) ? await reads.listPenalties(call, vrn) : undefined;
  return {
    vat_obligations: obligations,
    vat_liabilities: liabilities,
    ...(payments ? { vat_payments: payments } : {}),
    ...(penalties ? { vat_penalties: penalties } : {}),
  };
}

type Range = { readonly from: PlainDate; readonly to: PlainDate };

async function readObligations(
  reads: VatReads,
  call: HmrcCall,
  vrn: string,
  before: readonly Obligation[] | undefined,
  range: Range,
): Promise<readonly Obligation[]> {
  const open = await reads.listObligations(call, vrn, { status: 'open' });
  const stillOpen = new Set(open.map(keyOf));
  const filedBefore = (before ?? []).filter(({ status }) => status === 'fulfilled');
  const isComplete = before?.every((one) => one.status === 'fulfilled' || stillOpen.has(keyOf(one)));
  const filed = isComplete ? [] : await reads.listObligations(call, vrn, { ...range, status: 'fulfilled' });
  // The latest answer for a period wins. Earlier fulfilled ones are kept after they leave HMRC's date range.
  const byKey = new Map([...filedBefore, ...filed, ...open].map((one) => [keyOf(one), one]));
  return inOrder([...byKey.values()]);
}

function keyOf({ periodKey, start }: Obligation): string {
  return `${periodKey} ${start}`;
}

/** Charges older than a year, and those that have left the date range since the last refresh. */
async function readOlder(
  reads: VatReads,
  call: HmrcCall,
  vrn: string,
  before: VatLiabilitiesBody | undefined,
  charges: readonly Liability[],
  from: PlainDate,
): Promise<readonly Liability[]> {
  const current = new Set(charges.map(nameOf));
  const known = [...(before?.olderCharges ?? []), ...(before?.charges ?? [])].filter(
    (charge) => charge.period && !current.has(nameOf(charge)),
  );
  if (before && known.every(({ outstanding }) => outstanding === 0)) return inOrder(known);
  const to = addDays(from, -1);
  const found = (await reads.listLiabilities(call, vrn, { from: addDays(to, -YEAR_DAYS), to })).filter(
    // Charges without a period are part of every answer.
    (charge) => charge.period && !current.has(nameOf(charge)),
  );
  const newer = new Set(found.map(nameOf));
  return inOrder([...known.filter((charge) => !newer.has(nameOf(charge))), ...found]);
}

/** HMRC's charges have no ID. */
function nameOf({ type, period, original }: Liability): string {
  return `${type} ${period?.start ?? ''} ${period?.end ?? ''} ${original}`;
}

async function readPayments(
  reads: VatReads,
  call: HmrcCall,
  vrn: string,
  before: readonly HmrcPayment[],
  from: PlainDate,
  to: PlainDate,
): Promise<readonly HmrcPayment[]> {
  const older = before.filter(({ received }) => received !== undefined && received < from);
  const found = await reads.listPayments(call, vrn, { from, to });
  return inOrder([...older, ...found.filter(({ received }) => received === undefined || received >= from)]);
}

function mayBePenalised(before: VatPenalties | undefined, obligations: readonly Obligation[], today: PlainDate): boolean {
  if (!before || before.activePoints > 0 || before.lateReturns.length > 0 || before.latePayments.length > 0) return true;
  return obligations.some(({ status, due, received }) =>
    status === 'open' ? due < today : received !== undefined && received > due && received >= addDays(today, -YEAR_DAYS),
  );
}

/** HMRC documents no order. Sorting keeps an unchanged answer from looking new. */
function inOrder<Item>(items: readonly Item[]): readonly Item[] {
  return items
    .map((item) => ({ item, text: canonicalText(item) }))
    .sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0))
    .map(({ item }) => item);
}

function same(a: VatLiabilitiesBody, b: VatLiabilitiesBody | undefined): boolean {
  return b !== undefined && canonicalText(a) === canonicalText(b);
}
