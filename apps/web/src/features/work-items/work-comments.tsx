/** The comments on a task. “@Full Name” emails a colleague who has access to the task. */
import { workItemsApi } from '@portal/contract/work-items.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { MAX_WORK_COMMENT_LENGTH } from '@portal/domain/work-items/work-item.ts';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { InstantText } from '../../components/formats/date-text.tsx';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { FieldFrame } from '../../ui/form-field.tsx';
import { Select, TextArea } from '../../ui/input.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';
import { Heading, Text } from '../../ui/text.tsx';
import { useInvalidateWork } from './use-work.ts';
import { useMembers } from './work-filters.tsx';

type Comments = EndpointOutput<typeof workItemsApi.find>['comments'];

export function WorkComments({ companyId, itemId, comments }: { companyId: string; itemId: string; comments: Comments }) {
  return (
    <Stack gap={12}>
      <Heading level={3}>Comments</Heading>
      {comments.length === 0 && <Text tone="quiet">No comments yet</Text>}
      <Stack as="ul" gap={12} aria-label="Comments">
        {comments.map(({ comment_id: id, author, text, written_at: at }) => (
          <li key={id}>
            <Text size="small" tone="quiet">
              {author}, <InstantText at={at} />
            </Text>
            <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{text}</Text>
          </li>
        ))}
      </Stack>
      <NewComment companyId={companyId} itemId={itemId} />
    </Stack>
  );
}

function NewComment({ companyId, itemId }: { companyId: string; itemId: string }) {
  const [commentText, setText] = useState('');
  // The ID stays the same, so that a repeated request adds the comment only once.
  const [id, setId] = useState(() => crypto.randomUUID());
  const field = useRef<HTMLTextAreaElement>(null);
  const members = useMembers(companyId);
  const invalidate = useInvalidateWork();
  const send = useMutation({
    mutationFn: () => apiRequest(workItemsApi.comment, { company_id: companyId, item_id: itemId, comment_id: id, text: commentText }),
    onSuccess: async () => {
      setText('');
      setId(crypto.randomUUID());
      await invalidate();
    },
  });
  const insertMention = (name: string) => {
    setText((previousText) => `${previousText}${previousText === '' || /\s$/.test(previousText) ? '' : ' '}@${name} `);
    field.current?.focus();
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        send.mutate();
      }}
    >
      <FieldFrame id="work-comment" label="Your comment" hint="Type @ and a colleague’s full name to email them.">
        <TextArea
          ref={field}
          id="work-comment"
          rows={3}
          value={commentText}
          maxLength={MAX_WORK_COMMENT_LENGTH}
          onChange={({ target }) => setText(target.value)}
        />
      </FieldFrame>
      <Stack gap={8}>
        <Row gap={8}>
          <Select
            small
            widthInCharacters={20}
            aria-label="Mention a colleague"
            value=""
            onChange={({ target }) => insertMention(target.value)}
          >
            <option value="">Mention a colleague…</option>
            {members
              .filter(({ is_you: isYou }) => !isYou)
              .map(({ user_id: memberId, full_name: name }) => (
                <option key={memberId} value={name}>
                  {name}
                </option>
              ))}
          </Select>
          <SubmitButton missing={commentText.trim() === '' ? 'Enter a comment.' : undefined} isBusy={send.isPending}>
            Comment
          </SubmitButton>
        </Row>
        {send.error && <Text role="alert">{getErrorText(send.error)}</Text>}
        <Text role="status" size="small">
          {send.data && describeNotifiedColleagues(send.data)}
        </Text>
      </Stack>
    </form>
  );
}

function describeNotifiedColleagues({ notified, not_notified: notNotified }: EndpointOutput<typeof workItemsApi.comment>): string {
  const sentMessage = notified.length === 0 ? 'Comment added.' : `Comment added. Emailed: ${notified.join(', ')}.`;
  return notNotified.length === 0
    ? sentMessage
    : `${sentMessage} Not emailed: ${notNotified.join(', ')}. They can’t see this task, or you’ve mentioned too many people in the last hour.`;
}
