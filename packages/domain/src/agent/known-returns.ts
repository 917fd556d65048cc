/** A client's VAT returns whose boxes we know, because we read them from HMRC or they were filed here. */
import { addDays, countDaysBetween, type PlainDate } from '../plain-date.ts';
import type { ClientFacts, HmrcReturn } from './agent-facts.ts';

/** `source` is HMRC if the boxes were read from HMRC, on `as_of`; otherwise the return was filed here. */
export type KnownReturn = Omit<HmrcReturn, 'read_on'> & { readonly source: 'hmrc' | 'practice'; readonly as_of: PlainDate | null };

/** Lists them oldest first, one per period. HMRC's boxes take precedence, because HMRC may have corrected a return. */
export function listKnownReturns({ prepared, hmrc_returns: hmrcReturns }: Pick<ClientFacts, 'prepared' | 'hmrc_returns'>): KnownReturn[] {
  const returnsByEnd = new Map<PlainDate, KnownReturn>();
  for (const preparedReturn of prepared)
    if (preparedReturn.filed_on !== null)
      returnsByEnd.set(preparedReturn.end, toKnownReturn(preparedReturn, { source: 'practice', as_of: null }));
  for (const readReturn of hmrcReturns)
    returnsByEnd.set(readReturn.end, toKnownReturn(readReturn, { source: 'hmrc', as_of: readReturn.read_on }));
  return [...returnsByEnd.values()].toSorted((a, b) => (a.end < b.end ? -1 : a.end > b.end ? 1 : 0));
}

function toKnownReturn(vatReturn: Omit<HmrcReturn, 'read_on'>, origin: Pick<KnownReturn, 'source' | 'as_of'>): KnownReturn {
  const { start, end, box1_pence, box4_pence, net_pence, box6_pounds, box7_pounds } = vatReturn;
  return { start, end, box1_pence, box4_pence, net_pence, box6_pounds, box7_pounds, ...origin };
}

/** 12 months of known returns, without a gap. */
export type ReturnYear = {
  readonly start: PlainDate;
  readonly end: PlainDate;
  readonly returns: readonly KnownReturn[];
  readonly turnover_pence: number;
  readonly box1_pence: number;
  readonly net_pence: number;
};

/** After this many days, the last 12 months are a poor guide to the next 12. */
export const MAX_AGE_DAYS = 200;

/** Returns the last 12 months, if every return is known; otherwise undefined, because part of a year isn't representative. */
export function findReturnYear(client: Pick<ClientFacts, 'prepared' | 'hmrc_returns'>, today: PlainDate): ReturnYear | undefined {
  const knownReturns = listKnownReturns(client);
  const last = knownReturns.at(-1);
  if (!last || countDaysBetween(last.end, today) > MAX_AGE_DAYS) return undefined;
  const returns: KnownReturn[] = [];
  for (const currentReturn of knownReturns.toReversed()) {
    const next = returns[0];
    if (next && addDays(currentReturn.end, 1) !== next.start) return undefined;
    returns.unshift(currentReturn);
    const days = countDaysBetween(currentReturn.start, last.end) + 1;
    if (days > 366) return undefined;
    if (days < 365) continue;
    const sum = (get: (knownReturn: KnownReturn) => number): number => returns.reduce((total, knownReturn) => total + get(knownReturn), 0);
    return {
      start: currentReturn.start,
      end: last.end,
      returns,
      turnover_pence: sum((knownReturn) => knownReturn.box6_pounds * 100),
      box1_pence: sum((knownReturn) => knownReturn.box1_pence),
      net_pence: sum((knownReturn) => knownReturn.net_pence),
    };
  }
  return undefined;
}
