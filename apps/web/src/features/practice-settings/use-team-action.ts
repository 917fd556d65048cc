import { assignmentApi } from '@portal/contract/assignment.ts';
import { teamApi } from '@portal/contract/team.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useToast } from '../../ui/toast.tsx';

type TeamAction = { readonly send: () => Promise<unknown>; readonly done: string };

/** Changes the team, refetches the list and confirms with a toast. */
export function useTeamAction(onDone: () => void) {
  const queryClient = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: ({ send }: TeamAction) => send(),
    onSuccess: (_response, { done }) => {
      toast('success', done);
      onDone();
    },
    onSettled: () =>
      Promise.all(
        [teamApi.list, teamApi.roles, assignmentApi.workload, assignmentApi.rules].map(({ path }) =>
          queryClient.invalidateQueries({ queryKey: [path] }),
        ),
      ),
  });
}
