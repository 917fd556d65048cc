import { returnApprovalsApi, type OwnReturnOutput } from '@portal/contract/return-approvals.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { MessageForm, MessageList } from '../../components/vat-returns/message-list.tsx';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';

type QuestionCardProps = { data: OwnReturnOutput; input: { company_id: string; approval_id: string } };

/** Questions about the return, and the accountant's answers. */
export function QuestionCard({ data, input }: QuestionCardProps) {
  const queryClient = useQueryClient();
  const ask = useMutation({
    mutationFn: (message: { message_id: string; text: string }) => apiRequest(returnApprovalsApi.ask, { ...input, ...message }),
    onSuccess: (answer) => {
      queryClient.setQueryData(apiQuery(returnApprovalsApi.ownGet, input).queryKey, answer);
      void queryClient.invalidateQueries({ queryKey: [returnApprovalsApi.ownList.path] });
    },
  });
  return (
    <SectionCard title="Questions">
      <Stack gap={16}>
        {ask.error && (
          <Notice tone="error" title="We couldn’t send your question" role="alert">
            {errorText(ask.error)}
          </Notice>
        )}
        <MessageList messages={data.messages} />
        <MessageForm
          label={`Ask ${data.practice}`}
          button="Send question"
          isBusy={ask.isPending}
          send={(message, done) => ask.mutate(message, { onSuccess: done })}
        />
      </Stack>
    </SectionCard>
  );
}
