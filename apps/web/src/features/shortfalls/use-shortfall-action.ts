/** Makes a decision on a case. The response replaces the case on screen, and the list is refetched. */
import { shortfallsApi, type OperatorShortfallOutput } from '@portal/contract/shortfalls.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';

export function useShortfallAction<Variables>(
  data: OperatorShortfallOutput,
  action: (variables: Variables) => Promise<OperatorShortfallOutput | object>,
) {
  const queryClient = useQueryClient();
  const input = { company_id: data.company.company_id, shortfall_id: data.shortfall.shortfall_id };
  const key = apiQuery(shortfallsApi.operatorGet, input).queryKey;
  return useMutation({
    mutationFn: action,
    onSettled: async () => {
      await queryClient.invalidateQueries({ queryKey: key });
      await queryClient.invalidateQueries({ queryKey: [shortfallsApi.operatorList.path] });
    },
  });
}
