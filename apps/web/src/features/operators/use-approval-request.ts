import { approvalsApi } from '@portal/contract/approvals.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useToast } from '../../ui/toast.tsx';

type ApprovalRequest<Input> = {
  readonly send: (input: Input) => Promise<unknown>;
  readonly onClose: () => void;
  /** The path of a read that is repeated if the request is refused, because what it showed may have changed. */
  readonly readAgain?: string;
};

/** Sends a request that a second operator must approve, then closes its dialog. */
export function useApprovalRequest<Input = void>({ send, onClose, readAgain }: ApprovalRequest<Input>) {
  const queryClient = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: send,
    onSuccess: () => {
      toast('success', 'Sent to a second operator');
      onClose();
      return queryClient.invalidateQueries({ queryKey: [approvalsApi.list.path] });
    },
    onError: () => (readAgain === undefined ? undefined : queryClient.invalidateQueries({ queryKey: [readAgain] })),
  });
}
