/**
 * An earlier return was never filed. Until it is, HMRC may withhold a refund (VAT Act 1994, section 25(5)), so we can't buy the refund.
 * Once the missing return has been filed, the offer becomes available and the story continues as usual.
 */
import { toInstant, type Instant } from '@portal/domain/clock.ts';
import type { Story } from './story.ts';
import { NORMAL_REFUND } from './normal-refund.ts';

const parseTime = (text: string): Instant => toInstant(Date.parse(text));

const MISSING_OBLIGATION_ID = '0199c0de-0000-7000-8000-000000000104';
const FILED_LATE = parseTime('2026-11-06T10:30:00Z');

export const MISSING_RETURN: Story = {
  ...NORMAL_REFUND,
  key: 'missing-return',
  title: 'An earlier return is missing',
  startAt: parseTime('2026-11-02T09:00:00Z'),
  periods: NORMAL_REFUND.periods.map((period) =>
    period.obligation_id === MISSING_OBLIGATION_ID ? { ...period, filedAt: FILED_LATE } : period,
  ),
  moments: [
    { at: parseTime('2026-11-02T09:00:00Z'), what: 'ready', title: 'the return is ready to file, but an earlier one is missing' },
    { at: parseTime('2026-11-03T10:12:00Z'), what: 'filed', title: 'you file the return' },
    { at: parseTime('2026-11-03T10:12:05Z'), what: 'quoted', title: 'you can’t get an offer while an earlier return is missing' },
    { at: parseTime('2026-11-04T09:12:00Z'), what: 'suspended', title: 'HMRC withholds the refund until you file the missing return' },
    // The time that HMRC spent waiting doesn't count towards its 30 days.
    { at: FILED_LATE, what: 'late_filed', title: 'you file the missing return and get an offer', delayDays: 3 },
    { at: parseTime('2026-11-06T11:05:00Z'), what: 'accepted', title: 'you accept the offer' },
    { at: parseTime('2026-11-06T11:40:00Z'), what: 'confirmed', title: 'HMRC has the collection account details' },
    { at: parseTime('2026-11-06T11:40:10Z'), what: 'in_review', title: 'we review the refund' },
    { at: parseTime('2026-11-06T15:20:00Z'), what: 'approved', title: 'the refund is approved' },
    { at: parseTime('2026-11-07T09:10:00Z'), what: 'paying', title: 'your payment is on its way' },
    { at: parseTime('2026-11-07T09:12:00Z'), what: 'paid', title: 'you’ve been paid' },
    { at: parseTime('2026-11-09T08:00:00Z'), what: 'shown_filed', title: 'HMRC’s records show the return as filed' },
    { at: parseTime('2026-11-09T08:00:05Z'), what: 'awaiting_hmrc', title: 'waiting for HMRC' },
    { at: parseTime('2026-12-01T06:30:00Z'), what: 'repaid', title: 'HMRC repays' },
    { at: parseTime('2026-12-01T06:30:10Z'), what: 'settled', title: 'settled' },
  ],
};
