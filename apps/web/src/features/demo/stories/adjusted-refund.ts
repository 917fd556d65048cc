/** HMRC approves less than was claimed (REPAYMENT_ADJUSTED, docs/reference/hmrc.md section 8). The trader owes us the difference. */
import { toInstant, type Instant } from '@portal/domain/clock.ts';
import { pence } from '@portal/domain/money.ts';
import type { Story } from './story.ts';
import { NORMAL_REFUND } from './normal-refund.ts';

const parseTime = (text: string): Instant => toInstant(Date.parse(text));

export const ADJUSTED_REFUND: Story = {
  ...NORMAL_REFUND,
  key: 'adjusted-refund',
  title: 'HMRC reduces the refund',
  hmrcPaidAmount: pence(11_105_55),
  moments: [
    ...NORMAL_REFUND.moments.filter(({ what }) => what !== 'repaid' && what !== 'settled'),
    { at: parseTime('2026-11-27T06:30:00Z'), what: 'shortfall', title: 'HMRC repays less than you claimed' },
    { at: parseTime('2026-12-01T09:00:00Z'), what: 'collecting', title: 'we collect the difference' },
    { at: parseTime('2026-12-04T06:30:00Z'), what: 'settled', title: 'settled' },
  ],
};
