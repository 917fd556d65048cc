/** A client's 12-month turnover, from each source that states it. Turnover that no source states is unknown, never nil. */
import { addDays, addMonths, countDaysBetween, formatDate, getEndOfMonth, type PlainDate } from '../plain-date.ts';
import { findExceededThreshold } from '../uk-tax/vat/registration-thresholds.ts';
import type { ClientFacts, StatedTurnover } from './agent-facts.ts';
import type { AgentFact } from './agent-rule.ts';
import { findReturnYear, MAX_AGE_DAYS } from './known-returns.ts';
import { formatAmount } from './rule-text.ts';

/** `returns`: box 6 of VAT returns, which also counts exempt and overseas sales. */
export type TurnoverSource = 'returns' | StatedTurnover['source'];

export type Turnover = {
  readonly source: TurnoverSource;
  readonly start: PlainDate;
  readonly end: PlainDate;
  readonly turnover_pence: number;
  readonly fact: AgentFact;
};

type TurnoverFacts = Pick<ClientFacts, 'prepared' | 'hmrc_returns' | 'turnovers' | 'represents_vat_group'>;

/** Lists each source's turnover figures that aren't too old, newest first. The first one counts. */
export function listTurnovers(client: TurnoverFacts, today: PlainDate): Turnover[] {
  const year = findReturnYear(client, today);
  const statedTurnovers = client.turnovers.filter(({ end }) => isRecent(end, today)).map(toTurnover);
  return sortNewestFirst([...(year ? [toYearTurnover(year)] : []), ...statedTurnovers]);
}

const isRecent = (end: PlainDate, today: PlainDate): boolean => end <= today && countDaysBetween(end, today) <= MAX_AGE_DAYS;

/** Returns whether a practice may state the turnover of the 12 months to this day: a month end that isn't too old for the rules. */
export const mayStateTurnover = (end: PlainDate, today: PlainDate): boolean => getEndOfMonth(end) === end && isRecent(end, today);

const sortNewestFirst = (turnovers: readonly Turnover[]): Turnover[] =>
  turnovers.toSorted((a, b) => (a.end === b.end ? compareSources(a, b) : a.end < b.end ? 1 : -1));

/** For the same 12 months: returns come first, then the figure read or entered last; on the same day, the practice's entry. */
function compareSources(a: Turnover, b: Turnover): number {
  if (a.source === b.source) return 0;
  if (a.source === 'returns' || b.source === 'returns') return a.source === 'returns' ? -1 : 1;
  const [dateA, dateB] = [a.fact.as_of ?? a.end, b.fact.as_of ?? b.end];
  return dateA === dateB ? (a.source === 'practice' ? -1 : 1) : dateA < dateB ? 1 : -1;
}

/** Returns the newest turnover under the client's registration; undefined if it is unknown. A VAT group's is in its returns only. */
export function findTurnover(client: TurnoverFacts, today: PlainDate): Turnover | undefined {
  return listTurnovers(client.represents_vat_group ? { ...client, turnovers: [] } : client, today)[0];
}

/**
 * Lists one turnover for each end, newest first, as the registration threshold is tested: excluding sales made under a registration that
 * has since ended. A month end above the threshold of its date is listed however old it is, because lower turnover later doesn't end the
 * liability (VATA 1994 Sch 1 para 1(1)(a)).
 */
export function listRegistrationTurnovers({ turnovers }: Pick<ClientFacts, 'turnovers'>, today: PlainDate): Turnover[] {
  const statedTurnovers = turnovers.filter(({ end, was_registered: wasRegistered }) => !wasRegistered && end <= today);
  return sortNewestFirst(statedTurnovers.map(toTurnover))
    .filter(({ end }, index, all) => all[index - 1]?.end !== end)
    .filter(({ end, turnover_pence: amount }) => isRecent(end, today) || findExceededThreshold(end, amount) !== undefined);
}

/** Lists the turnovers above the threshold of their date, oldest first. */
export const listTurnoversAbove = (turnovers: readonly Turnover[]): Turnover[] =>
  turnovers.filter(({ end, turnover_pence: amount }) => findExceededThreshold(end, amount) !== undefined).toReversed();

function toYearTurnover({ start, end, turnover_pence: amount, returns }: NonNullable<ReturnType<typeof findReturnYear>>): Turnover {
  const oldestReadAt = returns.flatMap(({ as_of: on }) => (on === null ? [] : [on])).toSorted()[0] ?? null;
  const isFromHmrc = returns.every(({ source }) => source === 'hmrc');
  const turnoverText = `${formatAmount(amount)}, ${formatMonths({ start, end })}`;
  const source = isFromHmrc ? 'hmrc' : 'practice';
  return {
    source: 'returns',
    start,
    end,
    turnover_pence: amount,
    fact: { label: 'Box 6 over 12 months', text: turnoverText, page: 'vat', source, as_of: oldestReadAt },
  };
}

function toTurnover({ source, end, turnover_pence: amount, known_on: on, is_cash_basis: isCash }: StatedTurnover): Turnover {
  const start = getYearStart(end);
  const basis = isCash === true ? ', by date of payment' : '';
  const label = source === 'books' ? '12 months’ taxable sales in the client’s books' : '12-month turnover entered by your practice';
  const turnoverText = `${formatAmount(amount)}, ${formatMonths({ start, end })}${basis}`;
  return {
    source,
    start,
    end,
    turnover_pence: amount,
    fact: { label, text: turnoverText, page: source === 'books' ? 'vat' : 'client', source: 'practice', as_of: on },
  };
}

/** Returns the first of the 12 months that end on the last day of a month. */
export const getYearStart = (end: PlainDate): PlainDate => addDays(getEndOfMonth(addMonths(end, -12)), 1);

export const formatMonths = ({ start, end }: { readonly start: PlainDate; readonly end: PlainDate }): string =>
  `${formatDate(start)} to ${formatDate(end)}`;
