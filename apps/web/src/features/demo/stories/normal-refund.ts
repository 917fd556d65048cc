/**
 * A typical refund: filed, reviewed manually because of its size, paid the next morning, and repaid by HMRC three weeks later. Albion Demo
 * Ltd makes furniture and sells most of it abroad, so it pays more VAT than it charges.
 */
import { toInstant, type Instant } from '@portal/domain/clock.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { FURNITURE_MAKER_ROWS } from './furniture-maker-rows.ts';
import type { Story } from './story.ts';

const parseTime = (text: string): Instant => toInstant(Date.parse(text));
const HERO = '0199c0de-0000-7000-8000-000000000105';

export const NORMAL_REFUND: Story = {
  key: 'normal-refund',
  title: 'A typical refund',
  company: {
    company_id: '0199c0de-0000-7000-8000-000000000001',
    name: 'Albion Demo Ltd',
    vrn: '123456782',
    registeredOn: plainDate('2019-04-01'),
  },
  trader: 'Ada Demo',
  mainObligationId: HERO,
  advance_id: '0199c0de-0000-7000-8000-000000000201',
  startAt: parseTime('2026-11-02T09:00:00Z'),
  moments: [
    { at: parseTime('2026-11-02T09:00:00Z'), what: 'ready', title: 'the return is ready to file' },
    { at: parseTime('2026-11-03T10:12:00Z'), what: 'filed', title: 'you file the return' },
    { at: parseTime('2026-11-03T10:12:05Z'), what: 'quoted', title: 'you get an offer' },
    { at: parseTime('2026-11-03T11:05:00Z'), what: 'accepted', title: 'you accept the offer' },
    { at: parseTime('2026-11-03T11:40:00Z'), what: 'confirmed', title: 'HMRC has the collection account details' },
    { at: parseTime('2026-11-03T11:40:10Z'), what: 'in_review', title: 'we review the refund' },
    { at: parseTime('2026-11-03T15:20:00Z'), what: 'approved', title: 'the refund is approved' },
    { at: parseTime('2026-11-04T09:10:00Z'), what: 'paying', title: 'your payment is on its way' },
    { at: parseTime('2026-11-04T09:12:00Z'), what: 'paid', title: 'you’ve been paid' },
    { at: parseTime('2026-11-05T08:00:00Z'), what: 'shown_filed', title: 'HMRC’s records show the return as filed' },
    { at: parseTime('2026-11-05T08:00:05Z'), what: 'awaiting_hmrc', title: 'waiting for HMRC' },
    { at: parseTime('2026-11-27T06:30:00Z'), what: 'repaid', title: 'HMRC repays' },
    { at: parseTime('2026-11-27T06:30:10Z'), what: 'settled', title: 'settled' },
  ],
  periods: [
    {
      obligation_id: '0199c0de-0000-7000-8000-000000000101',
      start: plainDate('2025-07-01'),
      end: plainDate('2025-09-30'),
      filedAt: parseTime('2025-11-04T14:20:00Z'),
    },
    {
      obligation_id: '0199c0de-0000-7000-8000-000000000102',
      start: plainDate('2025-10-01'),
      end: plainDate('2025-12-31'),
      filedAt: parseTime('2026-02-03T09:45:00Z'),
    },
    {
      obligation_id: '0199c0de-0000-7000-8000-000000000103',
      start: plainDate('2026-01-01'),
      end: plainDate('2026-03-31'),
      filedAt: parseTime('2026-05-05T11:02:00Z'),
    },
    {
      obligation_id: '0199c0de-0000-7000-8000-000000000104',
      start: plainDate('2026-04-01'),
      end: plainDate('2026-06-30'),
      filedAt: parseTime('2026-08-04T16:31:00Z'),
    },
    { obligation_id: HERO, start: plainDate('2026-07-01'), end: plainDate('2026-09-30') },
    { obligation_id: '0199c0de-0000-7000-8000-000000000106', start: plainDate('2026-10-01'), end: plainDate('2026-12-31') },
  ],
  receipt: { form_bundle_number: '256660290587', receipt_id: '2dd537bc-4244-4ebf-bac9-96321be13cdc' },
  collectionAccount: { account_holder: 'Albion Demo Ltd', sort_code: '04-00-75', account_number: '12345674' },
  payoutAccount: { account_holder: 'Albion Demo Ltd', sort_code: '20-00-00', account_number_end: '4321' },
  books: {
    file_name: 'albion-books.csv',
    applied_at: parseTime('2026-11-02T08:41:00Z'),
    rows: FURNITURE_MAKER_ROWS,
  },
};
