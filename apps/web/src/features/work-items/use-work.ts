/** Mutations of tasks: what they invalidate, and the values before the last change, for undo. */
import { workItemsApi, type ReplacedWorkItems } from '@portal/contract/work-items.ts';
import type { EndpointInput } from '@portal/contract/endpoint.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { apiRequest } from '../../lib/api.ts';

export function useInvalidateWork(): () => Promise<void> {
  const queryClient = useQueryClient();
  return useCallback(
    async () =>
      queryClient.invalidateQueries({
        predicate: ({ queryKey: [path] }) =>
          path === workItemsApi.list.path ||
          path === workItemsApi.board.path ||
          path === workItemsApi.find.path ||
          path === '/client/timeline',
      }),
    [queryClient],
  );
}

export type WorkChange = Omit<EndpointInput<typeof workItemsApi.change>, 'company_id'>;
type LastChange = { readonly text: string; readonly replaced: readonly ReplacedWorkItems[] };

/** `formatMessage` describes what happened, for example “Task done”. */
export function useWorkChanges(companyId: string) {
  const [lastChange, setLastChange] = useState<LastChange | null>(null);
  const invalidate = useInvalidateWork();
  const change = useMutation({
    mutationFn: ({ input }: { input: WorkChange; formatMessage: (count: number) => string }) =>
      apiRequest(workItemsApi.change, { company_id: companyId, ...input }),
    onSuccess: async ({ replaced }, { formatMessage }) => {
      setLastChange({ text: formatMessage(replaced.length), replaced });
      await invalidate();
    },
  });
  const undo = useMutation({
    mutationFn: () => apiRequest(workItemsApi.restore, { company_id: companyId, replaced: [...(lastChange?.replaced ?? [])] }),
    onSuccess: async ({ restored, kept }) => {
      const leftText =
        kept === 0 ? '' : ` ${formatTaskCount(kept)} left as ${kept === 1 ? 'it is' : 'they are'} because of a later change.`;
      setLastChange({ text: `${formatTaskCount(restored)} restored.${leftText}`, replaced: [] });
      await invalidate();
    },
  });
  return { last: lastChange, dismiss: () => setLastChange(null), change, undo };
}

export function formatTaskCount(count: number): string {
  return `${count.toLocaleString('en-GB')} ${count === 1 ? 'task' : 'tasks'}`;
}
