import { companyPeopleApi } from '@portal/contract/company-people.ts';
import { identityApi } from '@portal/contract/identity.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useToast } from '../../ui/toast.tsx';

type PeopleAction = { readonly send: () => Promise<unknown>; readonly done: string };

/** Changes a company's users, refetches the list and confirms with a toast. */
export function usePeopleAction(onDone: () => void = () => undefined) {
  const queryClient = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: ({ send }: PeopleAction) => send(),
    onSuccess: (_response, { done }) => {
      toast('success', done);
      onDone();
    },
    onSettled: () =>
      Promise.all(
        [companyPeopleApi.list, identityApi.userCompanies].map(({ path }) => queryClient.invalidateQueries({ queryKey: [path] })),
      ),
  });
}
