/** The text of a message: a template to start from, subject and body with their fields, and the time to send it. */
import { listUnknownFields } from '@portal/domain/messages/message-fields.ts';
import { useState } from 'react';
import { Radio } from '../../ui/choice.tsx';
import { FieldFrame } from '../../ui/form-field.tsx';
import { TextInput } from '../../ui/input.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Text } from '../../ui/text.tsx';
import { MessageText } from './message-text.tsx';
import styles from './message-fields.module.css';

/** `sendAt`: the value of the browser's field, in the user's time zone. Empty to send immediately. */
export type MessageDraft = { readonly subject: string; readonly body: string; readonly sendAt: string };

/** Returns why the draft can't be previewed yet. */
export function getDraftProblem({ subject, body, sendAt }: MessageDraft): string | undefined {
  if (subject.trim() === '') return 'Enter a subject.';
  if (body.trim() === '') return 'Enter a message.';
  const unknownField = listUnknownFields(subject + body)[0];
  if (unknownField !== undefined) return `{${unknownField}} isn’t a field. Use the buttons below the message.`;
  return sendAt !== '' && Number.isNaN(Date.parse(sendAt)) ? 'Enter a date and time.' : undefined;
}

type MessageFieldsProps = { companyId: string; draft: MessageDraft; onChange: (draft: MessageDraft) => void };

export function MessageFields({ companyId, draft, onChange }: MessageFieldsProps) {
  return (
    <Stack gap={0}>
      <MessageText companyId={companyId} text={draft} onChange={(text) => onChange({ ...draft, ...text })} />
      <SendTime sendAt={draft.sendAt} onChange={(sendAt) => onChange({ ...draft, sendAt })} />
    </Stack>
  );
}

function SendTime({ sendAt, onChange }: { sendAt: string; onChange: (sendAt: string) => void }) {
  const [isLater, setIsLater] = useState(sendAt !== '');
  return (
    <Stack as="fieldset" gap={8} className={styles.time}>
      <Text as="legend" weight="medium">
        When
      </Text>
      <Radio
        name="message-time"
        label="Now"
        checked={!isLater}
        onChange={() => {
          setIsLater(false);
          onChange('');
        }}
      />
      <Radio name="message-time" label="Later" checked={isLater} onChange={() => setIsLater(true)} />
      {isLater && (
        <FieldFrame id="message-send-at" label="Date and time">
          <TextInput
            id="message-send-at"
            type="datetime-local"
            widthInCharacters={20}
            value={sendAt}
            onChange={({ target }) => onChange(target.value)}
          />
        </FieldFrame>
      )}
    </Stack>
  );
}
