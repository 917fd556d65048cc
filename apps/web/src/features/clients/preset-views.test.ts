import { clientFilters } from '@portal/contract/client-filters.ts';
import { getAttentionFilters } from '@portal/domain/clients/attention.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { expect, it } from 'vitest';
import { listPresetViews, toViewKey } from './preset-views.ts';
import { parseListParams } from './list-params.ts';

const VIEWS = listPresetViews(plainDate('2026-11-23'), true);

it('has the views of every practice; only an admin sees unassigned clients', () => {
  expect(VIEWS.map(({ name }) => name)).toEqual(['All', 'Overdue', 'Due this week', 'Not authorised', 'Unassigned', 'Refunds']);
  expect(listPresetViews(plainDate('2026-11-23'), false).map(({ name }) => name)).not.toContain('Unassigned');
});

it.each(VIEWS)('$name is a list that the server accepts', ({ query }) => {
  const search = new URLSearchParams(query);
  expect(Object.keys(parseListParams(search).filters)).toHaveLength([...search].length);
  expect(clientFilters.safeParse(Object.fromEntries(search)).success).toBe(true);
});

it('“Not authorised” is exactly the list behind the number on the dashboard', () => {
  const filters = getAttentionFilters('not_authorised', plainDate('2026-11-23'));
  expect(VIEWS.find(({ name }) => name === 'Not authorised')?.query).toBe(new URLSearchParams(filters).toString());
});

it('recognises a view whatever its order, columns and search text', () => {
  const here = new URLSearchParams('company_id=1&q=harlow&sort=owed&has=refund&status=in_hand&hide=vrn');
  expect(VIEWS.find(({ query }) => toViewKey(new URLSearchParams(query)) === toViewKey(here))?.name).toBe('Refunds');
  here.set('tax', 'vat');
  expect(VIEWS.some(({ query }) => toViewKey(new URLSearchParams(query)) === toViewKey(here))).toBe(false);
});
