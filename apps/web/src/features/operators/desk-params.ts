/** The desk's state in the URL: filters and order. Everyone with the same URL sees the same list. */
import { deskFilters, type deskApi } from '@portal/contract/desk.ts';
import type { EndpointInput } from '@portal/contract/endpoint.ts';
import { DESK_SORTS, type DeskSort } from '@portal/domain/operators/desk-steps.ts';

export type DeskFilters = EndpointInput<typeof deskApi.summary>;
export type DeskParams = { readonly filters: DeskFilters; readonly sort: DeskSort; readonly direction: 'asc' | 'desc' };

export const DESK_FILTER_NAMES = ['queue', 'q', 'due_within_hours', 'above_pence', 'trader', 'assigned', 'promise'] as const;

/** Parses the URL. Invalid values are ignored. */
export function parseDeskParams(search: URLSearchParams): DeskParams {
  const filters = Object.fromEntries(
    DESK_FILTER_NAMES.flatMap((name) => {
      const value = search.get(name);
      if (value === null || value === '') return [];
      return deskFilters.shape[name].safeParse(value).success ? [[name, value]] : [];
    }),
  ) as DeskFilters;
  const sort = DESK_SORTS.find((known) => known === search.get('sort')) ?? 'due';
  const direction = search.get('direction') === 'desc' ? 'desc' : 'asc';
  return { filters, sort, direction };
}

/** The views that every operator has. `count` names the matching figure in the summary. */
export const STANDARD_VIEWS = [
  { name: 'Needs action', query: '', count: 'needs_us' },
  { name: 'Due in 2 hours', query: 'queue=in_progress&due_within_hours=2', count: 'due_soon' },
  { name: 'Over £25,000', query: 'queue=in_progress&above_pence=2500000&sort=refund&direction=desc', count: 'large' },
  { name: 'New traders', query: 'queue=in_progress&trader=new', count: 'new_trader' },
  { name: 'Exceptions', query: 'queue=exceptions', count: 'exceptions' },
  { name: 'Mine', query: 'queue=in_progress&assigned=me', count: 'mine' },
  { name: 'In progress', query: 'queue=in_progress', count: 'in_progress' },
  { name: 'All', query: 'queue=all&sort=since&direction=desc', count: undefined },
] as const;

/** Returns the same key for URLs that differ only in the order of their parameters. */
export function toViewKey(search: URLSearchParams): string {
  const sorted = new URLSearchParams(search);
  sorted.sort();
  return sorted.toString();
}
