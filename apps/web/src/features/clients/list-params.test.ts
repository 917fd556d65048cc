import { clientFilters } from '@portal/contract/client-filters.ts';
import { expect, it } from 'vitest';
import { FILTER_NAMES, parseListParams } from './list-params.ts';

it('keeps the filter of every number that opens the list, or the list would show all clients', () => {
  const id = '00000000-0000-4000-8000-000000000001';
  const filters = { request_plan: 'vat:ready', action: `statement_updated:${id}`, refresh: 'failed', refresh_reason: 'internal' };
  expect(parseListParams(new URLSearchParams(filters)).filters).toEqual(filters);
  expect(Object.keys(clientFilters.shape).toSorted()).toEqual([...FILTER_NAMES].toSorted());
});
