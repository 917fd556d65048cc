import { returnApprovalsApi, type ApprovalOutput } from '@portal/contract/return-approvals.ts';
import { useMutation } from '@tanstack/react-query';
import { MessageForm, MessageList } from '../../components/vat-returns/message-list.tsx';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { useSetApproval } from './approval-card.tsx';
import type { ClientReturnTarget } from './client-return-target.ts';

/** Questions and answers about a return, available once figures have been sent. */
export function ReturnMessagesCard({ output, input }: { output: ApprovalOutput; input: ClientReturnTarget }) {
  const setApproval = useSetApproval(input);
  const replyMutation = useMutation({
    mutationFn: (message: { message_id: string; text: string }) => apiRequest(returnApprovalsApi.answer, { ...input, ...message }),
    onSuccess: setApproval,
  });
  const canWrite = output.approval !== null && !output.approval.is_outside && output.people > 0;
  if (output.messages.length === 0 && !canWrite) return null;
  return (
    <SectionCard title="Questions and answers">
      <Stack gap={16}>
        {replyMutation.error && (
          <Notice tone="error" title="We couldn’t send your message" role="alert">
            {getErrorText(replyMutation.error)}
          </Notice>
        )}
        <MessageList messages={output.messages} />
        {canWrite && (
          <MessageForm
            label="Send the client a message about this return"
            button="Send message"
            isBusy={replyMutation.isPending}
            send={(message, done) => replyMutation.mutate(message, { onSuccess: done })}
          />
        )}
      </Stack>
    </SectionCard>
  );
}
