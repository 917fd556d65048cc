import { clientsApi, type ClientRow } from '@portal/contract/clients.ts';
import type { OutputOf } from '@portal/contract/endpoint.ts';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { apiQuery, apiRequest, type ApiError } from '../../lib/api.ts';
import type { ListAddress } from './list-address.ts';

type Page = OutputOf<typeof clientsApi.list>;

const PAGE_ROWS = 100;
/** A count may be so old: it is not asked for with every page. */
const COUNT_STALE_MS = 30_000;

/** The pages of the list read so far, and, apart from them, how many clients there are. */
export function useClientList(companyId: string, { filters, sort, direction }: ListAddress) {
  const enabled = companyId !== '';
  const input = { company_id: companyId, ...filters, sort, direction, limit: PAGE_ROWS };
  const list = useInfiniteQuery<Page, ApiError, ClientRow[], readonly unknown[], string | undefined>({
    queryKey: [clientsApi.list.path, input],
    queryFn: ({ pageParam, signal }) =>
      apiRequest(clientsApi.list, { ...input, ...(pageParam === undefined ? {} : { cursor: pageParam }) }, { signal }),
    initialPageParam: undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    // A client that moved between two pages was read twice: the later reading is shown.
    select: ({ pages }) => [...new Map(pages.flatMap((page) => page.clients).map((row) => [row.client_id, row])).values()],
    placeholderData: keepPreviousData,
    enabled,
  });
  const count = useQuery({ ...apiQuery(clientsApi.count, { company_id: companyId, ...filters }), staleTime: COUNT_STALE_MS, enabled });
  return { list, count };
}
