/**
 * HMRC asks about the claim before it repays. Its inquiries don't count towards its 30 days (docs/reference/hmrc.md section 8), so the
 * expected date moves. By then, the trader will long since have been paid.
 */
import { toInstant, type Instant } from '@portal/domain/clock.ts';
import type { Story } from './story.ts';
import { NORMAL_REFUND } from './normal-refund.ts';

const parseTime = (text: string): Instant => toInstant(Date.parse(text));

export const HMRC_ASKS: Story = {
  ...NORMAL_REFUND,
  key: 'hmrc-asks',
  title: 'HMRC asks a question',
  hmrcQuestion:
    'Please send us the invoices for the three largest purchases in box 7, and tell us what you bought and what you use it for.',
  moments: [
    ...NORMAL_REFUND.moments.filter(({ what }) => what !== 'repaid' && what !== 'settled'),
    {
      at: parseTime('2026-11-16T10:20:00Z'),
      what: 'query',
      title: 'HMRC asks about the claim, and its 30-day clock pauses',
      delayDays: 21,
    },
    { at: parseTime('2026-12-18T06:30:00Z'), what: 'repaid', title: 'HMRC repays, later than usual' },
    { at: parseTime('2026-12-18T06:30:10Z'), what: 'settled', title: 'settled' },
  ],
};
