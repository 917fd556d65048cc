import { ATTENTION_GROUPS, type AttentionGroup } from '@portal/domain/clients/attention.ts';
import { expect, it } from 'vitest';
import { getUnknownText } from './today-tab.tsx';

function textFor(group: AttentionGroup, counts: Partial<Record<AttentionGroup, number>>): string | undefined {
  const groups = Object.fromEntries(ATTENTION_GROUPS.map((one) => [one, { clients: counts[one] ?? 0, amount_pence: null }]));
  return getUnknownText({ clients: 117, groups: groups as Parameters<typeof getUnknownText>[0]['groups'] }, group);
}

it('never calls unread figures nil', () => {
  expect(textFor('overdue_payment', { not_read: 117 })).toBe('Not known yet');
  expect(textFor('overdue_return', { not_read: 3 })).toBe('None known');
  expect(textFor('overdue_update', { not_read: 0 })).toBeUndefined();
  expect(textFor('due_this_week', { not_read: 117, due_this_week: 4 })).toBeUndefined();
  // What isn't a figure is known without reading.
  expect(textFor('request_expiring', { not_read: 117 })).toBeUndefined();
});
