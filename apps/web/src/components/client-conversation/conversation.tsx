/** The messages between a practice and a client, with a field to write one. Both sides see the same messages. */
import { clientRequestsApi, type ConversationPost } from '@portal/contract/client-requests.ts';
import { MAX_CONVERSATION_TEXT_LENGTH } from '@portal/domain/client-requests/client-request.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import clsx from 'clsx';
import { useState } from 'react';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { clientInstant, clientText } from '../../lib/client-texts/client-texts.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { deleteDraft, readDraft, saveDraft } from '../../lib/form-draft.ts';
import { FieldFrame } from '../../ui/form-field.tsx';
import { TextArea } from '../../ui/input.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { TableSkeleton } from '../../ui/skeletons.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';
import { Text } from '../../ui/text.tsx';
import styles from './conversation.module.css';

type Ids = { readonly company_id: string; readonly client_id: string };
type ConversationProps = {
  ids: Ids;
  /** True if the reader is the client. The reader's own messages are on the right. */
  isClient: boolean;
  emptyText: string;
  hint: string;
};

export function Conversation({ ids, isClient, emptyText, hint }: ConversationProps) {
  const query = useQuery(apiQuery(clientRequestsApi.conversation, ids));
  return (
    <Stack gap={16}>
      <LoadState query={query} skeleton={<TableSkeleton rows={3} />}>
        {({ posts }) =>
          posts.length === 0 ? (
            <Text tone="quiet">{emptyText}</Text>
          ) : (
            <Stack as="ol" gap={12} aria-label={clientText('messages.list')}>
              {posts.map((post) => (
                <Post key={post.post_id} post={post} isOwn={post.is_from_client === isClient} />
              ))}
            </Stack>
          )
        }
      </LoadState>
      <NewPost key={ids.client_id} ids={ids} hint={hint} />
    </Stack>
  );
}

function Post({ post: { author, text, written_at: at }, isOwn }: { post: ConversationPost; isOwn: boolean }) {
  return (
    <li className={clsx(styles.post, isOwn && styles.own)}>
      <Text size="small" tone="quiet">
        {clientText('files.by', { person: author, at: clientInstant(at) })}
      </Text>
      <Text className={styles.text}>{text}</Text>
    </li>
  );
}

function NewPost({ ids, hint }: { ids: Ids; hint: string }) {
  const draft = { name: `conversation ${ids.client_id}`, fields: ['text'] };
  const [text, setText] = useState(() => readDraft(draft)['text'] ?? '');
  // Keeps the same id until the message has been sent, so that a retry never sends it twice.
  const [postId, setPostId] = useState(() => crypto.randomUUID());
  const queryClient = useQueryClient();
  const write = useMutation({
    mutationFn: () => apiRequest(clientRequestsApi.write, { ...ids, post_id: postId, text }),
    onSuccess: async () => {
      setText('');
      setPostId(crypto.randomUUID());
      deleteDraft(draft);
      await queryClient.invalidateQueries({ queryKey: [clientRequestsApi.conversation.path] });
    },
  });
  const id = `message-${ids.client_id}`;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '' && !write.isPending) write.mutate();
      }}
    >
      <Stack gap={12}>
        {write.error !== null && (
          <Notice tone="error" title={clientText('messages.failed')} role="alert">
            {getErrorText(write.error)}
          </Notice>
        )}
        <FieldFrame id={id} label={clientText('messages.new')} hint={hint}>
          <TextArea
            id={id}
            rows={3}
            maxLength={MAX_CONVERSATION_TEXT_LENGTH}
            aria-describedby={`${id}-hint`}
            value={text}
            onChange={({ target: { value } }) => {
              setText(value);
              saveDraft(draft, { text: value });
            }}
          />
        </FieldFrame>
        <Row gap={8}>
          <SubmitButton missing={text.trim() === '' ? clientText('messages.write_first') : undefined} isBusy={write.isPending}>
            {clientText('messages.send')}
          </SubmitButton>
        </Row>
      </Stack>
    </form>
  );
}
