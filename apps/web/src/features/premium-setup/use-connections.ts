import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { pricingApi } from '@portal/contract/pricing.ts';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import { keepPreviousData, useInfiniteQuery, useMutation, useQueryClient, type InfiniteData } from '@tanstack/react-query';
import { apiRequest, type ApiError } from '../../lib/api.ts';

type ConnectionPage = EndpointOutput<typeof pricingApi.connections>;
export type Connection = ConnectionPage['connections'][number];
export type ConnectionFilter = { readonly q?: string; readonly tax?: Tax };
type Selection = { readonly selected: boolean; readonly connections?: readonly Connection[] };

const PAGE_ROWS = 100;

export const getConnectionId = ({ client_id: id, tax }: Pick<Connection, 'client_id' | 'tax'>): string => `${id} ${tax}`;

/** Returns the pages of the filtered list that have been loaded so far. */
export function useConnections(companyId: string, filter: ConnectionFilter) {
  const input = { company_id: companyId, ...filter, limit: PAGE_ROWS };
  return useInfiniteQuery<ConnectionPage, ApiError, InfiniteData<ConnectionPage>, readonly unknown[], string | undefined>({
    queryKey: [pricingApi.connections.path, input],
    queryFn: ({ pageParam, signal }) =>
      apiRequest(pricingApi.connections, { ...input, ...(pageParam === undefined ? {} : { cursor: pageParam }) }, { signal }),
    initialPageParam: undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
  });
}

const SELECT_KEY = [pricingApi.select.path];

/**
 * Saves a selection immediately, for the given connections or for all that the filter shows. Updates the rows before the response arrives.
 */
export function useSelectConnections(companyId: string, filter: ConnectionFilter) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationKey: SELECT_KEY,
    mutationFn: ({ selected, connections }: Selection) =>
      apiRequest(pricingApi.select, {
        company_id: companyId,
        selected,
        ...(connections === undefined ? filter : { connections: connections.map(({ client_id, tax }) => ({ client_id, tax })) }),
      }),
    onMutate: async ({ selected, connections }) => {
      await queryClient.cancelQueries({ queryKey: [pricingApi.connections.path] });
      const ids = connections && new Set(connections.map(getConnectionId));
      queryClient.setQueriesData<InfiniteData<ConnectionPage>>(
        { queryKey: [pricingApi.connections.path] },
        (data) => data && { ...data, pages: data.pages.map((page) => ({ ...page, connections: page.connections.map(change) })) },
      );
      function change(row: Connection): Connection {
        const isChanged = ids?.has(getConnectionId(row)) ?? (row.linked || !selected);
        return isChanged ? { ...row, selected } : row;
      }
    },
    onSettled: async () => {
      // Refetching now would miss a selection that is still being saved. The last mutation to finish refetches the rows.
      if (queryClient.isMutating({ mutationKey: SELECT_KEY }) > 1) return;
      await Promise.all(
        [pricingApi.connections, pricingApi.calculate, pricingApi.currentTier].map(({ path }) =>
          queryClient.invalidateQueries({ queryKey: [path] }),
        ),
      );
    },
  });
}
