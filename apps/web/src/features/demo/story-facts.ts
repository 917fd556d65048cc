/** The state of the story at a given time: the returns with their figures, and the progress of the advance. */
import type { AdvanceState } from '@portal/domain/advances/advance-states.ts';
import { ADVANCE_STATES } from '@portal/domain/advances/advance-states.ts';
import { toLondonDate, type Instant } from '@portal/domain/clock.ts';
import { getReturnState, type ReturnState } from '@portal/domain/vat-returns/return-state.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { getValueOrForecast } from '@portal/domain/uk-tax/known.ts';
import { getVatDueDate } from '@portal/domain/uk-tax/vat/due-date.ts';
import { createBoxesAccumulator, type PeriodTotals } from '@portal/domain/vat-returns/accumulate-boxes.ts';
import type { BooksRow } from '@portal/domain/books/books-row.ts';
import type { Story, StoryMoment, StoryPeriod } from './stories/story.ts';

export type ReturnFacts = {
  readonly period: StoryPeriod;
  readonly state: ReturnState;
  readonly dueOn: PlainDate;
  readonly filedAt: Instant | undefined;
  /** The date of receipt in HMRC's list. Undefined while the list doesn't show the return as filed. */
  readonly receivedOn: PlainDate | undefined;
  readonly totals: PeriodTotals;
  readonly rows: readonly BooksRow[];
};

export type StoryFacts = {
  readonly now: Instant;
  readonly today: PlainDate;
  readonly returns: readonly ReturnFacts[];
  readonly findMomentTime: (momentName: StoryMoment['what']) => Instant | undefined;
  /** The newest state of the advance; undefined before the offer. */
  readonly advanceState: AdvanceState | undefined;
  /** Number of days that HMRC's inquiries have added so far. */
  readonly delayDays: number;
  /** Whether HMRC has asked about the claim and is waiting for the trader's answer. */
  readonly isQuestionOpen: boolean;
};

const isAdvanceState = (momentName: StoryMoment['what']): momentName is AdvanceState =>
  ADVANCE_STATES.some((state) => state === momentName);

export function getStoryFacts(story: Story, books: readonly BooksRow[], now: Instant): StoryFacts {
  const today = toLondonDate(now);
  const pastMoments = story.moments.filter(({ at }) => at <= now);
  const findMomentTime = (momentName: StoryMoment['what']): Instant | undefined =>
    pastMoments.find((moment) => moment.what === momentName)?.at;
  // Leave out rows dated after today, so that the open period fills as the clock moves.
  const knownRows = books.filter((row) => row.date <= today);
  const returns = story.periods.flatMap((period): ReturnFacts[] => {
    if (period.start > today) return [];
    const isMainReturn = period.obligation_id === story.mainObligationId;
    const otherFiledAt = period.filedAt !== undefined && period.filedAt <= now ? period.filedAt : undefined;
    const filedAt = isMainReturn ? findMomentTime('filed') : otherFiledAt;
    const shownAt = isMainReturn ? findMomentTime('shown_filed') : otherFiledAt;
    const totals = calculateTotals(period, knownRows);
    return [
      {
        period,
        filedAt,
        totals,
        rows: knownRows.filter(({ date }) => date >= period.start && date <= period.end),
        dueOn: getValueOrForecast(getVatDueDate(period.end)) ?? period.end,
        receivedOn: shownAt && filedAt ? toLondonDate(filedAt) : undefined,
        state: getReturnState(
          {
            periodEnd: period.end,
            fulfilled: shownAt !== undefined,
            hasFigures: totals.rows > 0,
            attempt: filedAt ? { state: 'accepted', lost: false } : undefined,
          },
          today,
        ),
      },
    ];
  });
  return {
    now,
    today,
    returns,
    findMomentTime,
    advanceState: pastMoments.map(({ what }) => what).findLast(isAdvanceState),
    isQuestionOpen: pastMoments.at(-1)?.what === 'query',
    delayDays: pastMoments.reduce((sum, { delayDays = 0 }) => sum + delayDays, 0),
  };
}

function calculateTotals({ start, end }: StoryPeriod, rows: readonly BooksRow[]): PeriodTotals {
  const boxes = createBoxesAccumulator([{ from: start, to: end }]);
  boxes.add(rows);
  const [totals] = boxes.totals();
  if (totals === undefined) throw new RangeError('no totals for the period');
  return totals;
}
