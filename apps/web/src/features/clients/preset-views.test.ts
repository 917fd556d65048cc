import { clientFilters } from '@portal/contract/client-filters.ts';
import { getAttentionFilters } from '@portal/domain/clients/attention.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { expect, it } from 'vitest';
import { hasNoFilter, listPresetViews, toViewKey } from './preset-views.ts';
import { parseListParams } from './list-params.ts';

const PRESET_VIEWS = listPresetViews(plainDate('2026-11-23'), true);

it('has the views of every practice; only an admin sees unassigned clients', () => {
  expect(PRESET_VIEWS.map(({ name }) => name)).toEqual(['All', 'Overdue', 'Due this week', 'Not authorised', 'Unassigned', 'Refunds']);
  expect(listPresetViews(plainDate('2026-11-23'), false).map(({ name }) => name)).not.toContain('Unassigned');
});

it('begins with a team member’s own work, and leads them to all clients by a filter without a value', () => {
  const views = listPresetViews(plainDate('2026-11-23'), false, '5b0c1f6e-3f0a-4b7e-9c55-0f2d7f6a9d11');
  expect(views[0]).toEqual({ name: 'My work', query: 'status=in_hand&member=5b0c1f6e-3f0a-4b7e-9c55-0f2d7f6a9d11' });
  expect(hasNoFilter(new URLSearchParams('company_id=1&sort=owed'))).toBe(true);
  expect(hasNoFilter(new URLSearchParams(views[1]?.query))).toBe(false);
  expect(toViewKey(new URLSearchParams(views[1]?.query))).toBe('');
});

it.each(PRESET_VIEWS)('$name is a list that the server accepts', ({ query }) => {
  const search = new URLSearchParams(query);
  expect(Object.keys(parseListParams(search).filters)).toHaveLength([...search].length);
  expect(clientFilters.safeParse(Object.fromEntries(search)).success).toBe(true);
});

it('“Not authorised” is exactly the list behind the number on the dashboard', () => {
  const filters = getAttentionFilters('not_authorised', plainDate('2026-11-23'));
  expect(PRESET_VIEWS.find(({ name }) => name === 'Not authorised')?.query).toBe(new URLSearchParams(filters).toString());
});

it('recognises a view whatever its order, columns and search text', () => {
  const currentSearch = new URLSearchParams('company_id=1&q=harlow&sort=owed&has=refund&status=in_hand&hide=vrn');
  expect(PRESET_VIEWS.find(({ query }) => toViewKey(new URLSearchParams(query)) === toViewKey(currentSearch))?.name).toBe('Refunds');
  currentSearch.set('tax', 'vat');
  expect(PRESET_VIEWS.some(({ query }) => toViewKey(new URLSearchParams(query)) === toViewKey(currentSearch))).toBe(false);
});
