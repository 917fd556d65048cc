/** The text of a message: a template to start from, subject and body with their fields, and when it leaves. */
import { listUnknownFields, MESSAGE_FIELD_HINTS, MESSAGE_FIELDS, type MessageField } from '@portal/domain/messages/message-fields.ts';
import { MESSAGE_TEMPLATES } from '@portal/domain/messages/message-templates.ts';
import { useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Radio } from '../../ui/choice.tsx';
import { describedBy, FieldFrame } from '../../ui/form-field.tsx';
import { Select, TextArea, TextInput } from '../../ui/input.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { Text } from '../../ui/text.tsx';
import styles from './message-fields.module.css';

/** `sendAt`: as the browser's field gives it, in the person's own time zone; empty for now. */
export type MessageDraft = { readonly subject: string; readonly body: string; readonly sendAt: string };

const BODY_HINT = 'For messages about your clients’ tax affairs, not for marketing.';

/** Why the draft can't be previewed yet. */
export function getDraftProblem({ subject, body, sendAt }: MessageDraft): string | undefined {
  if (subject.trim() === '') return 'Enter a subject.';
  if (body.trim() === '') return 'Enter a message.';
  const unknown = listUnknownFields(subject + body)[0];
  if (unknown !== undefined) return `There’s no field {${unknown}}. Use the buttons below the message.`;
  return sendAt !== '' && Number.isNaN(Date.parse(sendAt)) ? 'Enter a date and time.' : undefined;
}

type MessageFieldsProps = { draft: MessageDraft; onChange: (draft: MessageDraft) => void };

export function MessageFields({ draft, onChange }: MessageFieldsProps) {
  const body = useRef<HTMLTextAreaElement>(null);
  const template = MESSAGE_TEMPLATES.find((one) => one.subject === draft.subject && one.body === draft.body)?.key ?? '';
  const add = (field: MessageField): void => {
    const { selectionStart = draft.body.length, selectionEnd = draft.body.length } = body.current ?? {};
    onChange({ ...draft, body: `${draft.body.slice(0, selectionStart)}{${field}}${draft.body.slice(selectionEnd)}` });
    body.current?.focus();
  };
  return (
    <Stack gap={0}>
      <FieldFrame id="message-template" label="Start from">
        <Select
          id="message-template"
          value={template}
          onChange={({ target }) => {
            const chosen = MESSAGE_TEMPLATES.find(({ key }) => key === target.value);
            onChange({ ...draft, subject: chosen?.subject ?? '', body: chosen?.body ?? '' });
          }}
        >
          {MESSAGE_TEMPLATES.map(({ key, name }) => (
            <option key={key} value={key}>
              {name}
            </option>
          ))}
          <option value="">Your own text</option>
        </Select>
      </FieldFrame>
      <FieldFrame id="message-subject" label="Subject">
        <TextInput
          id="message-subject"
          value={draft.subject}
          maxLength={150}
          aria-required="true"
          autoComplete="off"
          onChange={({ target }) => onChange({ ...draft, subject: target.value })}
        />
      </FieldFrame>
      <FieldFrame id="message-body" label="Message" hint={BODY_HINT}>
        <TextArea
          ref={body}
          id="message-body"
          rows={8}
          value={draft.body}
          maxLength={10_000}
          aria-required="true"
          aria-describedby={describedBy('message-body', BODY_HINT, undefined)}
          onChange={({ target }) => onChange({ ...draft, body: target.value })}
        />
      </FieldFrame>
      <Stack gap={8}>
        <Text size="small" tone="quiet">
          Fields are filled in for each client:
        </Text>
        <Row gap={8} role="group" aria-label="Add a field to the message">
          {MESSAGE_FIELDS.map((field) => (
            <Button key={field} size="small" variant="outlined" title={MESSAGE_FIELD_HINTS[field]} onClick={() => add(field)}>
              {field}
            </Button>
          ))}
        </Row>
      </Stack>
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
