/** Subject and body of a message with their fields, and a template to start from: one of ours or the practice's own. */
import { messageTemplatesApi } from '@portal/contract/message-templates.ts';
import { MESSAGE_FIELD_HINTS, MESSAGE_FIELDS, type MessageField } from '@portal/domain/messages/message-fields.ts';
import { MESSAGE_TEMPLATES } from '@portal/domain/messages/message-templates.ts';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { apiQuery } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { FieldFrame, getDescribedBy } from '../../ui/form-field.tsx';
import { Select, TextArea, TextInput } from '../../ui/input.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { Text } from '../../ui/text.tsx';

const BODY_HINT = 'For messages about your clients’ tax affairs, not for marketing.';

export type MessageTextValue = { readonly subject: string; readonly body: string };

/** `companyId`: the company whose templates are offered. Undefined offers none. */
type MessageTextProps = { companyId: string | undefined; text: MessageTextValue; onChange: (text: MessageTextValue) => void };

export function MessageText({ companyId, text: { subject, body }, onChange }: MessageTextProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const add = (field: MessageField): void => {
    const { selectionStart = body.length, selectionEnd = body.length } = area.current ?? {};
    onChange({ subject, body: `${body.slice(0, selectionStart)}{${field}}${body.slice(selectionEnd)}` });
    area.current?.focus();
  };
  return (
    <Stack gap={0}>
      {companyId !== undefined && <StartFrom companyId={companyId} text={{ subject, body }} onChange={onChange} />}
      <FieldFrame id="message-subject" label="Subject">
        <TextInput
          id="message-subject"
          value={subject}
          maxLength={150}
          aria-required="true"
          autoComplete="off"
          onChange={({ target }) => onChange({ subject: target.value, body })}
        />
      </FieldFrame>
      <FieldFrame id="message-body" label="Message" hint={BODY_HINT}>
        <TextArea
          ref={area}
          id="message-body"
          rows={8}
          value={body}
          maxLength={10_000}
          aria-required="true"
          aria-describedby={getDescribedBy('message-body', BODY_HINT, undefined)}
          onChange={({ target }) => onChange({ subject, body: target.value })}
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
    </Stack>
  );
}

function StartFrom({
  companyId,
  text,
  onChange,
}: {
  companyId: string;
  text: MessageTextValue;
  onChange: (text: MessageTextValue) => void;
}) {
  const { data } = useQuery(apiQuery(messageTemplatesApi.list, { company_id: companyId }));
  const ownTemplates = (data?.templates ?? []).map(({ template_id: key, ...template }) => ({ key, ...template }));
  const allTemplates = [...MESSAGE_TEMPLATES, ...ownTemplates];
  const current = allTemplates.find((item) => item.subject === text.subject && item.body === text.body)?.key ?? '';
  return (
    <FieldFrame id="message-template" label="Start from">
      <Select
        id="message-template"
        value={current}
        onChange={({ target }) => {
          const chosenTemplate = allTemplates.find(({ key }) => key === target.value);
          onChange({ subject: chosenTemplate?.subject ?? '', body: chosenTemplate?.body ?? '' });
        }}
      >
        {MESSAGE_TEMPLATES.map(({ key, name }) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
        {ownTemplates.length > 0 && (
          <optgroup label="Your practice’s templates">
            {ownTemplates.map(({ key, name }) => (
              <option key={key} value={key}>
                {name}
              </option>
            ))}
          </optgroup>
        )}
        <option value="">Your own text</option>
      </Select>
    </FieldFrame>
  );
}
