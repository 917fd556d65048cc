import { ATTENTION_GROUPS, type AttentionGroup } from '@portal/domain/clients/attention.ts';
import { expect, it } from 'vitest';
import { getUnknownText } from './today-tab.tsx';

function getText(group: AttentionGroup, counts: Partial<Record<AttentionGroup, number>>): string | undefined {
  const groups = Object.fromEntries(ATTENTION_GROUPS.map((item) => [item, { clients: counts[item] ?? 0, amount_pence: null }]));
  return getUnknownText({ clients: 117, groups: groups as Parameters<typeof getUnknownText>[0]['groups'] }, group);
}

it('never calls unread figures nil', () => {
  expect(getText('overdue_payment', { not_read: 117 })).toBe('Not known yet');
  expect(getText('overdue_return', { not_read: 3 })).toBe('None known');
  expect(getText('overdue_update', { not_read: 0 })).toBeUndefined();
  expect(getText('due_this_week', { not_read: 117, due_this_week: 4 })).toBeUndefined();
  // This group doesn't depend on HMRC's figures, so its count is always known.
  expect(getText('request_expiring', { not_read: 117 })).toBeUndefined();
});
