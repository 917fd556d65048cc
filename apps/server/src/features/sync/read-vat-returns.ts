/**
 * Reads the boxes of a client's earlier VAT returns for the assistant's rules, after everything else about the client. HMRC needs one call
 * per return, and a return that it has received doesn't change, so each is read only once. See
 * docs/decisions/0085-turnover-and-identity.md.
 */
import { addDays, type PlainDate } from '@portal/domain/plain-date.ts';
import type { HmrcClient } from '@portal/providers/hmrc/hmrc-client.ts';
import type { HmrcCall, Obligation } from '@portal/providers/hmrc/hmrc-types.ts';
import type { NineBoxes } from '@portal/domain/vat-returns/nine-boxes.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import type { ReadReturn, VatReturnsBody } from '../positions/observation-bodies.ts';

export type ReturnsClient = Pick<HmrcClient, 'listObligations' | 'findReturn'>;

/** Eight quarters for comparison, or the last 12 months for a client that files monthly. */
const MAX_RETURNS = 12;
const MIN_QUARTERS = 8;
/** HMRC accepts date ranges of at most one year. */
const MAX_RANGE_DAYS = 364;

type KnownReturns = {
  readonly vrn: string;
  readonly obligations: readonly Obligation[];
  readonly before: VatReturnsBody | undefined;
  readonly today: PlainDate;
  /** How many calls can be made now. */
  readonly maxCalls: number;
};

/**
 * Returns the body to store, or undefined if nothing new was read. A failed call stops the reading but doesn't fail the client, whose
 * figures don't depend on it. `client` doesn't repeat throttled calls, so all other calls take precedence over these.
 */
export async function readVatReturns(
  client: ReturnsClient,
  call: HmrcCall,
  knownReturns: KnownReturns,
): Promise<VatReturnsBody | undefined> {
  const { vrn, obligations, before, today, maxCalls } = knownReturns;
  const isSameNumber = before?.vrn === vrn;
  let earlierReading = isSameNumber ? before.earlier : null;
  const byKey = new Map<string, ReadReturn>((isSameNumber ? before.returns : []).map((one) => [toKey(one), one]));
  let calls = 0;
  try {
    for (; calls < maxCalls; calls += 1) {
      const periods = listPeriods(obligations, earlierReading ?? []);
      const next = periods.find((period) => !byKey.has(toKey(period)));
      if (next) {
        byKey.set(toKey(next), { ...next, readOn: today, boxes: await findBoxes(client, call, vrn, next) });
      } else if (earlierReading === null && periods.length > 0 && periods.length < MIN_QUARTERS) {
        earlierReading = await listEarlier(client, call, vrn, periods, today);
      } else break;
    }
  } catch (error) {
    // A stale access token affects all calls of the run.
    if (!(error instanceof ProviderError) || error.failure === 'unauthorized') throw error;
  }
  if (calls === 0) return undefined;
  const keptKeys = new Set(listPeriods(obligations, earlierReading ?? []).map(toKey));
  const returns = [...byKey.values()].filter((one) => keptKeys.has(toKey(one))).toSorted((a, b) => (a.end < b.end ? -1 : 1));
  return { vrn, earlier: earlierReading, returns };
}

/** Returns null for a return that HMRC doesn't have or won't show, so that it isn't requested again. */
async function findBoxes(client: ReturnsClient, call: HmrcCall, vrn: string, { periodKey }: ReturnPeriod): Promise<NineBoxes | null> {
  try {
    return (await client.findReturn(call, vrn, periodKey)) ?? null;
  } catch (error) {
    const isRefused = error instanceof ProviderError && error.failure === 'refused' && error.facts.code !== undefined;
    if (isRefused && error.facts.code !== 'CLIENT_OR_AGENT_NOT_AUTHORISED') return null;
    throw error;
  }
}

type ReturnPeriod = Pick<ReadReturn, 'periodKey' | 'start' | 'end'>;

/** Period keys repeat over the years, so the key includes the start date. */
const toKey = ({ periodKey, start }: ReturnPeriod): string => `${periodKey} ${start}`;

/** Lists the periods whose returns HMRC has received, newest first. */
function listPeriods(obligations: readonly Obligation[], earlierPeriods: readonly ReturnPeriod[]): ReturnPeriod[] {
  const fulfilledObligations = obligations.filter(({ status }) => status === 'fulfilled');
  const periods = [...earlierPeriods, ...fulfilledObligations].map(({ periodKey, start, end }) => ({ periodKey, start, end }));
  const unique = new Map(periods.map((period) => [toKey(period), period]));
  return [...unique.values()].toSorted((a, b) => (a.end < b.end ? 1 : -1)).slice(0, MAX_RETURNS);
}

/** The list of obligations goes back one year, that is four quarters. */
async function listEarlier(
  client: ReturnsClient,
  call: HmrcCall,
  vrn: string,
  periods: readonly ReturnPeriod[],
  today: PlainDate,
): Promise<readonly ReturnPeriod[]> {
  const to = addDays(today, -MAX_RANGE_DAYS - 1);
  const foundObligations = await client.listObligations(call, vrn, { from: addDays(to, -MAX_RANGE_DAYS), to, status: 'fulfilled' });
  const listedPeriods = new Set(periods.map(toKey));
  return foundObligations
    .map(({ periodKey, start, end }) => ({ periodKey, start, end }))
    .filter((period) => !listedPeriods.has(toKey(period)))
    .toSorted((a, b) => (a.end < b.end ? -1 : 1));
}
