import { returnApprovalsApi, type OwnReturnOutput } from '@portal/contract/return-approvals.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { MessageForm, MessageList } from '../../components/vat-returns/message-list.tsx';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { clientText } from '../../lib/client-texts/client-texts.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';

type QuestionCardProps = { data: OwnReturnOutput; input: { company_id: string; approval_id: string } };

/** Questions about the return, with the accountant's answers. */
export function QuestionCard({ data, input }: QuestionCardProps) {
  const queryClient = useQueryClient();
  const ask = useMutation({
    mutationFn: (message: { message_id: string; text: string }) => apiRequest(returnApprovalsApi.ask, { ...input, ...message }),
    onSuccess: (output) => {
      queryClient.setQueryData(apiQuery(returnApprovalsApi.ownGet, input).queryKey, output);
      void queryClient.invalidateQueries({ queryKey: [returnApprovalsApi.ownList.path] });
    },
  });
  return (
    <SectionCard title={clientText('question.title')}>
      <Stack gap={16}>
        {ask.error && (
          <Notice tone="error" title={clientText('question.failed')} role="alert">
            {getErrorText(ask.error)}
          </Notice>
        )}
        <MessageList messages={data.messages} />
        <MessageForm
          label={clientText('question.label', { practice: data.practice })}
          button={clientText('question.send')}
          isBusy={ask.isPending}
          send={(message, done) => ask.mutate(message, { onSuccess: done })}
        />
      </Stack>
    </SectionCard>
  );
}
