/** Lookups in the VAT returns that a practice prepared here. */
import { daysBetween, addDays, type PlainDate } from '../plain-date.ts';
import type { AgentItem, ClientFacts, PreparedReturn } from './agent-facts.ts';

/** Returns true if a return's figures were already sent to the client, so that its records needn't be requested any more. */
export function isPrepared({ prepared }: ClientFacts, { tax, what, period_end: end }: AgentItem): boolean {
  return tax === 'vat' && what === 'return' && prepared.some((one) => one.end === end);
}

/**
 * Lists returns that were prepared, aren't filed here and are still expected by HMRC: returns filed with other software don't have a due
 * date any more.
 */
export function listUnfiled({ prepared, items }: ClientFacts): readonly PreparedReturn[] {
  return prepared.filter(
    ({ end, filed_on: filed }) =>
      filed === null && items.some(({ tax, what, period_end: of }) => tax === 'vat' && what === 'return' && of === end),
  );
}

/** Twelve months of returns filed here, without a gap. */
export type FiledYear = {
  readonly start: PlainDate;
  readonly end: PlainDate;
  readonly returns: readonly PreparedReturn[];
  readonly turnover_pence: number;
  readonly box1_pence: number;
  readonly net_pence: number;
};

/** After this many days, the twelve months are a poor guide to the next ones. */
const MAX_AGE_DAYS = 200;

/** Returns the last twelve months, if every return was filed here; otherwise undefined, because part of a year isn't representative. */
export function findFiledYear({ prepared }: ClientFacts, today: PlainDate): FiledYear | undefined {
  const filed = prepared.filter(({ filed_on: on }) => on !== null);
  const last = filed.at(-1);
  if (!last || daysBetween(last.end, today) > MAX_AGE_DAYS) return undefined;
  const returns: PreparedReturn[] = [];
  for (const one of filed.toReversed()) {
    const next = returns[0];
    if (next && addDays(one.end, 1) !== next.start) return undefined;
    returns.unshift(one);
    const days = daysBetween(one.start, last.end) + 1;
    if (days > 366) return undefined;
    if (days < 365) continue;
    const sum = (get: (of: PreparedReturn) => number): number => returns.reduce((total, of) => total + get(of), 0);
    return {
      start: one.start,
      end: last.end,
      returns,
      turnover_pence: sum((of) => of.box6_pounds * 100),
      box1_pence: sum((of) => of.box1_pence),
      net_pence: sum((of) => of.net_pence),
    };
  }
  return undefined;
}
