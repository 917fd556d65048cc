/** The desk's data: the pages loaded so far, the counts, and assignment. */
import { deskApi, type DeskRow } from '@portal/contract/desk.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiQuery, apiRequest, type ApiError } from '../../lib/api.ts';
import type { DeskParams } from './desk-params.ts';

type DeskPage = EndpointOutput<typeof deskApi.list>;

const PAGE_ROWS = 100;
const REFRESH_MS = 15_000;

export function useDesk({ filters, sort, direction }: DeskParams) {
  const input = { ...filters, sort, direction, limit: PAGE_ROWS };
  const list = useInfiniteQuery<DeskPage, ApiError, DeskRow[], readonly unknown[], string | undefined>({
    queryKey: [deskApi.list.path, input],
    queryFn: ({ pageParam, signal }) =>
      apiRequest(deskApi.list, { ...input, ...(pageParam === undefined ? {} : { cursor: pageParam }) }, { signal }),
    initialPageParam: undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    // An advance that moved between two pages may have been loaded twice: use the later version.
    select: ({ pages }) => [...new Map(pages.flatMap((page) => page.advances).map((row) => [row.advance_id, row])).values()],
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
  const summary = useQuery({ ...apiQuery(deskApi.summary, filters), placeholderData: keepPreviousData, refetchInterval: REFRESH_MS });
  return { list, summary };
}

/** Assigns advances to an operator, or unassigns them. The list shows the change once the server has saved it. */
export function useAssign() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ rows, operatorId }: { rows: readonly Pick<DeskRow, 'company_id' | 'advance_id'>[]; operatorId: string | null }) =>
      apiRequest(deskApi.assign, {
        advances: rows.map(({ company_id, advance_id }) => ({ company_id, advance_id })),
        operator_id: operatorId,
      }),
    onSuccess: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: [deskApi.list.path] }),
        queryClient.invalidateQueries({ queryKey: [deskApi.summary.path] }),
      ]),
  });
}

/** Lists the operators to whom work can be assigned. */
export function useOperators() {
  const { data } = useQuery({ ...apiQuery(deskApi.operators, {}), staleTime: 300_000 });
  return data?.operators ?? [];
}
