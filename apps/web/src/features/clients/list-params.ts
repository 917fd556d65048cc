/** The list's state in the URL: filters, order and columns. Everyone with the same URL has the same view. */
import { CLIENT_SORTS, EXPORT_TABLE_PATH, type ClientSort, type ExportFormat } from '@portal/contract/clients.ts';
import { clientFilters, type ClientFilters } from '@portal/contract/client-filters.ts';
import { PORTAL_BASE } from '../../lib/settings.ts';

export type ListParams = {
  readonly filters: ClientFilters;
  readonly sort: ClientSort;
  readonly direction: 'asc' | 'desc';
  /** Ids of the columns that the user has hidden. If undefined, the default columns that fit are shown. */
  readonly hidden: readonly string[] | undefined;
  readonly dense: boolean;
};

export const FILTER_NAMES = [
  'q',
  'status',
  'tax',
  'attention',
  'member',
  'kind',
  'due_before',
  'pay_in',
  'refund_in',
  'has',
  'figures',
  'authorisation',
  'refresh',
  'refresh_reason',
  'action',
  'request_plan',
  'tag',
  'letter',
  'invitation',
  'group',
] as const;

/** Parses the URL. Invalid values are ignored. */
export function parseListParams(search: URLSearchParams): ListParams {
  const filters = Object.fromEntries(
    FILTER_NAMES.flatMap((name) => {
      const value = search.get(name);
      if (value === null || value === '') return [];
      return clientFilters.shape[name].safeParse(value).success ? [[name, value]] : [];
    }),
  ) as ClientFilters;
  const requestedSort = search.get('sort');
  const sort = CLIENT_SORTS.find((known) => known === requestedSort) ?? 'next_due';
  const defaultDirection = sort === 'next_due' || sort === 'name' ? 'asc' : 'desc';
  const direction = search.get('direction');
  const hideParam = search.get('hide');
  return {
    filters,
    sort,
    direction: direction === 'asc' || direction === 'desc' ? direction : defaultDirection,
    hidden: hideParam === null ? undefined : hideParam.split(',').filter((id) => id !== ''),
    dense: search.get('dense') !== '0',
  };
}

/** Returns the part of the URL to store in a saved view. */
export function toViewQuery(search: URLSearchParams): string {
  const next = new URLSearchParams(search);
  next.delete('company_id');
  return next.toString();
}

/** Returns the query parameters of an export with the list's filters and order. */
export function toExportQuery(companyId: string, { filters, sort, direction }: ListParams, format: ExportFormat): URLSearchParams {
  return new URLSearchParams([
    ['company_id', companyId],
    ...Object.entries(filters).map(([name, value]) => [name, String(value)]),
    ...Object.entries({ sort, direction, format }),
  ]);
}

/** Returns the URL of an export with the list's filters and order. */
export const getExportHref = (companyId: string, address: ListParams, format: ExportFormat): string =>
  `${PORTAL_BASE}${EXPORT_TABLE_PATH}?${toExportQuery(companyId, address, format)}`;
