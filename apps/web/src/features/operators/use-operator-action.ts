/** An operator's decision on an advance. The response replaces the page's data; after a failure, the page refetches the current state. */
import { deskApi } from '@portal/contract/desk.ts';
import { operatorsApi, type OperatorAdvanceOutput } from '@portal/contract/operators.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';

export function useOperatorAction<Variables>(
  data: OperatorAdvanceOutput,
  action: (variables: Variables) => Promise<OperatorAdvanceOutput>,
) {
  const queryClient = useQueryClient();
  const key = apiQuery(operatorsApi.advance, { company_id: data.company.company_id, advance_id: data.advance.advance_id }).queryKey;
  return useMutation({
    mutationFn: action,
    onSuccess: (actionResponse) => queryClient.setQueryData(key, actionResponse),
    onError: () => queryClient.invalidateQueries({ queryKey: key }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [deskApi.list.path] }),
  });
}
