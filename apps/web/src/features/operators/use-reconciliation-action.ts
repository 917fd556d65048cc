/** Sends a request or note about a reconciliation exception, then refetches everything that operators see about money. */
import { approvalsApi } from '@portal/contract/approvals.ts';
import { deskApi } from '@portal/contract/desk.ts';
import { reconciliationExceptionsApi } from '@portal/contract/reconciliation-exceptions.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useToast } from '../../ui/toast.tsx';

const PATHS = [
  reconciliationExceptionsApi.list.path,
  reconciliationExceptionsApi.credits.path,
  reconciliationExceptionsApi.directDebitPayouts.path,
  approvalsApi.list.path,
  deskApi.list.path,
];

export const REQUEST_SENT = 'Request sent. Someone else must approve it.';

export function useReconciliationAction(send: () => Promise<unknown>, savedMessage: string, onDone: () => void) {
  const queryClient = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: send,
    onSuccess: () => {
      toast('success', savedMessage);
      onDone();
    },
    onSettled: () => Promise.all(PATHS.map((path) => queryClient.invalidateQueries({ queryKey: [path] }))),
  });
}
