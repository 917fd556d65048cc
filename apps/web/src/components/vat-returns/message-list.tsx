/** Messages between client and practice about a return, oldest first, with a form to write one. */
import type { ReturnMessage } from '@portal/contract/return-approvals.ts';
import { useId, useState } from 'react';
import { InstantText } from '../formats/date-text.tsx';
import { FieldFrame } from '../../ui/form-field.tsx';
import { TextArea } from '../../ui/input.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';
import { Text } from '../../ui/text.tsx';
import styles from './message-list.module.css';

const MAX_LENGTH = 2000;

export function MessageList({ messages }: { messages: readonly ReturnMessage[] }) {
  if (messages.length === 0) return null;
  return (
    <Stack as="ul" gap={12} aria-label="Questions and answers">
      {messages.map((message) => (
        <li key={message.message_id}>
          <Text size="small" tone="quiet">
            {message.author}, {message.from_client ? 'client' : 'accountant'}, <InstantText at={message.written_at} />
          </Text>
          <Text measure className={styles.text}>
            {message.text}
          </Text>
        </li>
      ))}
    </Stack>
  );
}

type MessageFormProps = {
  label: string;
  button: string;
  isBusy: boolean;
  /** `done` clears the form. Until then, the id stays the same, so that a repeated request creates only one message. */
  send: (message: { message_id: string; text: string }, done: () => void) => void;
};

export function MessageForm({ label, button, isBusy, send }: MessageFormProps) {
  const id = useId();
  const [replyText, setText] = useState('');
  const [messageId, setMessageId] = useState(() => crypto.randomUUID());
  const isEmpty = replyText.trim() === '';
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isEmpty) return;
        send({ message_id: messageId, text: replyText }, () => {
          setText('');
          setMessageId(crypto.randomUUID());
        });
      }}
    >
      <Stack gap={8}>
        <FieldFrame id={`${id}-text`} label={label}>
          <TextArea id={`${id}-text`} rows={3} value={replyText} maxLength={MAX_LENGTH} onChange={({ target }) => setText(target.value)} />
        </FieldFrame>
        <Row gap={8}>
          <SubmitButton variant="outlined" missing={isEmpty ? 'Write your message first.' : undefined} isBusy={isBusy}>
            {button}
          </SubmitButton>
        </Row>
      </Stack>
    </form>
  );
}
