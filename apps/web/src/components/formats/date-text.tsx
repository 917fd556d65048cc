import { formatInstant, type Instant } from '@portal/domain/clock.ts';
import { formatDate, type PlainDate } from '@portal/domain/plain-date.ts';
import { periodText } from '../../lib/period-text.ts';

/** A calendar date: "7 March 2026", or "7 Mar 2026" in tables ("short"). */
export function DateText({ date, style = 'long' }: { date: PlainDate; style?: 'long' | 'short' }) {
  return (
    <time dateTime={date} style={{ whiteSpace: 'nowrap' }}>
      {formatDate(date, style)}
    </time>
  );
}

/** A period that can only wrap between its two dates: "1 July to 30 September 2026". */
export function PeriodText({ start, end }: { start: PlainDate; end: PlainDate }) {
  const [first, last] = periodText(start, end).split(' to ');
  return (
    <>
      <span style={{ whiteSpace: 'nowrap' }}>{first}</span> to <span style={{ whiteSpace: 'nowrap' }}>{last}</span>
    </>
  );
}

/** An instant in London time, which can only wrap between its date and its time. */
export function InstantText({ at }: { at: Instant }) {
  const [date, time] = formatInstant(at).split(', ');
  return (
    <time dateTime={at}>
      <span style={{ whiteSpace: 'nowrap' }}>{date},</span> <span style={{ whiteSpace: 'nowrap' }}>{time}</span>
    </time>
  );
}
