/**
 * HMRC sets the refund off against another debt (docs/reference/hmrc.md section 8) and repays the rest. The trader owes us the difference.
 */
import { toInstant, type Instant } from '@portal/domain/clock.ts';
import { pence } from '@portal/domain/money.ts';
import type { Story } from './story.ts';
import { NORMAL_REFUND } from './normal-refund.ts';

const parseTime = (text: string): Instant => toInstant(Date.parse(text));

export const SET_OFF: Story = {
  ...NORMAL_REFUND,
  key: 'set-off',
  title: 'HMRC sets the refund off against a debt',
  hmrcPaidAmount: pence(9_840_55),
  moments: [
    ...NORMAL_REFUND.moments.filter(({ what }) => what !== 'repaid' && what !== 'settled'),
    { at: parseTime('2026-11-26T06:30:00Z'), what: 'shortfall', title: 'HMRC sets £2,500.00 off against a PAYE debt and repays the rest' },
    { at: parseTime('2026-11-30T09:00:00Z'), what: 'collecting', title: 'we collect the difference' },
    { at: parseTime('2026-12-03T06:30:00Z'), what: 'settled', title: 'settled' },
  ],
};
