/** The assistant's requests, the queries they invalidate, and the columns, loaded page by page. */
import { agentModeApi, type AGENT_COLUMNS } from '@portal/contract/agent.ts';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { apiRequest, type ApiError } from '../../lib/api.ts';

export type AgentColumn = (typeof AGENT_COLUMNS)[number];
type ProposalPage = Awaited<ReturnType<typeof requestPage>>;

/** After a decision, the columns, the rules and any affected records may have changed. */
export function useInvalidateAgent(): () => Promise<void> {
  const queryClient = useQueryClient();
  return useCallback(
    async () =>
      queryClient.invalidateQueries({
        predicate: ({ queryKey: [path] }) =>
          typeof path === 'string' && (path.startsWith('/open-tax/agent') || path.startsWith('/open-tax/language-model')),
      }),
    [queryClient],
  );
}

export function useProposals(companyId: string, column: AgentColumn) {
  return useInfiniteQuery<ProposalPage, ApiError, { pages: ProposalPage[] }, readonly unknown[], string | undefined>({
    queryKey: [agentModeApi.proposals.path, { company_id: companyId, column }, 'pages'],
    queryFn: ({ pageParam, signal }) => requestPage(companyId, column, pageParam, signal),
    initialPageParam: undefined,
    getNextPageParam: ({ next_cursor: next }) => next ?? undefined,
    enabled: companyId !== '',
    // The rules run in the background, so poll.
    refetchInterval: 30_000,
  });
}

function requestPage(companyId: string, column: AgentColumn, cursor: string | undefined, signal: AbortSignal) {
  return apiRequest(agentModeApi.proposals, { company_id: companyId, column, ...(cursor === undefined ? {} : { cursor }) }, { signal });
}
