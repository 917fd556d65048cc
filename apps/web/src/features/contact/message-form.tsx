import { contactApi } from '@portal/contract/contact.ts';
import { CONTACT_TOPICS, type ContactTopic } from '@portal/domain/operators/contact-messages.ts';
import { useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { useContractForm, type ContractForm } from '../../lib/contract-form.ts';
import { Button } from '../../ui/button.tsx';
import { FieldFrame, FormField, getDescribedBy } from '../../ui/form-field.tsx';
import { FormPanel } from '../../ui/form-panel.tsx';
import { Select, TextArea } from '../../ui/input.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Text } from '../../ui/text.tsx';

const TOPIC_LABELS: Readonly<Record<ContactTopic, string>> = {
  refund: 'A refund or an offer',
  return: 'A VAT return',
  account: 'My account or logging in',
  complaint: 'A complaint',
  privacy: 'My data',
  other: 'Something else',
};

type Values = { name: string; email: string; topic: string; message: string };
type SentMessage = { readonly reference: string; readonly email: string };

/** A form to send us a message, prefilled with a signed-in user's details. */
export function MessageForm({ person }: { person: { full_name?: string | undefined; email?: string | undefined } }) {
  const [sentMessage, setSent] = useState<SentMessage>();
  const form = useContractForm<typeof contactApi.send, Values>(contactApi.send, {
    defaults: { name: person.full_name ?? '', email: person.email ?? '', topic: 'refund', message: '' },
    draft: { name: 'contact', fields: ['name', 'email', 'topic', 'message'] },
    send: async (input) => {
      const { reference } = await apiRequest(contactApi.send, input);
      setSent({ reference, email: input.email });
    },
  });
  if (sentMessage) {
    return (
      <Notice tone="success" title={`Message sent. Your reference is ${sentMessage.reference}`} role="alert">
        <Stack align="start">
          <Text>
            We’ll reply to {sentMessage.email} within one working day. Quote {sentMessage.reference} if you contact us again.
          </Text>
          <Button
            variant="outlined"
            size="small"
            onClick={() => {
              form.form.resetField('message');
              setSent(undefined);
            }}
          >
            Write another message
          </Button>
        </Stack>
      </Notice>
    );
  }
  return (
    <FormPanel form={form} submitLabel="Send message" busyLabel="Sending…">
      <FormField form={form} name="name" label="Your name" autoComplete="name" />
      <FormField
        form={form}
        name="email"
        label="Email"
        type="email"
        inputMode="email"
        autoComplete="email"
        hint="We’ll reply to this address."
      />
      <FieldFrame id={form.getFieldId('topic')} label="What is it about?" error={form.getError('topic')}>
        <Select {...form.form.register('topic')} id={form.getFieldId('topic')}>
          {CONTACT_TOPICS.map((topic) => (
            <option key={topic} value={topic}>
              {TOPIC_LABELS[topic]}
            </option>
          ))}
        </Select>
      </FieldFrame>
      <MessageField form={form} />
    </FormPanel>
  );
}

const MESSAGE_HINT = 'Tell us what you were trying to do and what happened. Never send a password or code.';

function MessageField({ form }: { form: ContractForm<Values> }) {
  const id = form.getFieldId('message');
  const error = form.getError('message');
  const { ref, ...messageField } = form.form.register('message');
  return (
    <FieldFrame id={id} label="Your message" hint={MESSAGE_HINT} error={error}>
      <TextArea
        {...messageField}
        ref={ref}
        id={id}
        rows={5}
        isInvalid={error !== undefined}
        aria-describedby={getDescribedBy(id, MESSAGE_HINT, error)}
        aria-required
      />
    </FieldFrame>
  );
}
