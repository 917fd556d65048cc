import { clientsApi, type ClientRow } from '@portal/contract/clients.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { apiQuery, apiRequest, type ApiError } from '../../lib/api.ts';
import type { ListParams } from './list-params.ts';

type ClientPage = EndpointOutput<typeof clientsApi.list>;

const PAGE_ROWS = 100;
/** How long loaded pages stay cached after the user leaves the list, so that going back restores the scroll position. */
const KEPT_FOR_MS = 30 * 60_000;
/** Maximum age of the count, so that it isn't requested again with every page. */
const COUNT_STALE_TIME_MS = 30_000;

/** Returns the pages of the list loaded so far and, separately, the number of clients. */
export function useClientList(companyId: string, { filters, sort, direction }: ListParams) {
  const isEnabled = companyId !== '';
  const input = { company_id: companyId, ...filters, sort, direction, limit: PAGE_ROWS };
  const list = useInfiniteQuery<ClientPage, ApiError, ClientRow[], readonly unknown[], string | undefined>({
    queryKey: [clientsApi.list.path, input],
    queryFn: ({ pageParam, signal }) =>
      apiRequest(clientsApi.list, { ...input, ...(pageParam === undefined ? {} : { cursor: pageParam }) }, { signal }),
    initialPageParam: undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    // A client that moved between two pages may have been loaded twice, so use the later version.
    select: ({ pages }) => [...new Map(pages.flatMap((page) => page.clients).map((row) => [row.client_id, row])).values()],
    placeholderData: keepPreviousData,
    gcTime: KEPT_FOR_MS,
    enabled: isEnabled,
  });
  const count = useQuery({
    ...apiQuery(clientsApi.count, { company_id: companyId, ...filters }),
    staleTime: COUNT_STALE_TIME_MS,
    gcTime: KEPT_FOR_MS,
    enabled: isEnabled,
  });
  return { list, count };
}
