import { CONTACT_TOPICS, contactApi, type ContactTopic } from '@portal/contract/contact.ts';
import Button from '@mui/material/Button';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { useContractForm, type ContractForm } from '../../lib/contract-form.ts';
import { describedBy, FieldFrame, FormField } from '../../ui/form-field.tsx';
import { FormPanel } from '../../ui/form-panel.tsx';
import { Notice } from '../../ui/notice.tsx';

const TOPICS: Readonly<Record<ContactTopic, string>> = {
  refund: 'A refund or an offer',
  return: 'A VAT return',
  account: 'My account or signing in',
  complaint: 'A complaint',
  privacy: 'My data',
  other: 'Something else',
};

type Values = { name: string; email: string; topic: string; message: string };
type Sent = { readonly reference: string; readonly email: string };

/** A message to us. The details of a signed-in person are filled in. */
export function MessageForm({ person }: { person: { full_name?: string | undefined; email?: string | undefined } }) {
  const [sent, setSent] = useState<Sent>();
  const form = useContractForm<typeof contactApi.send, Values>(contactApi.send, {
    defaults: { name: person.full_name ?? '', email: person.email ?? '', topic: 'refund', message: '' },
    draft: { name: 'contact', fields: ['name', 'email', 'topic', 'message'] },
    send: async (input) => {
      const { reference } = await apiRequest(contactApi.send, input);
      setSent({ reference, email: input.email });
    },
  });
  if (sent) {
    return (
      <Notice tone="success" title={`We have your message, ${sent.reference}`} role="alert">
        <Typography>
          We answer to {sent.email} within one working day. Quote {sent.reference} if you write again.
        </Typography>
        <Button
          variant="outlined"
          size="small"
          sx={{ mt: 2 }}
          onClick={() => {
            form.form.resetField('message');
            setSent(undefined);
          }}
        >
          Write another message
        </Button>
      </Notice>
    );
  }
  return (
    <FormPanel form={form} submitLabel="Send the message" busyLabel="Sending ...">
      <FormField form={form} name="name" label="Your name" autoComplete="name" />
      <FormField
        form={form}
        name="email"
        label="Email"
        type="email"
        inputMode="email"
        autoComplete="email"
        hint="We answer to this address."
      />
      <FieldFrame id={form.getFieldId('topic')} label="What is it about?" error={form.getError('topic')}>
        <NativeSelect {...form.form.register('topic')} id={form.getFieldId('topic')} input={<OutlinedInput fullWidth />}>
          {CONTACT_TOPICS.map((topic) => (
            <option key={topic} value={topic}>
              {TOPICS[topic]}
            </option>
          ))}
        </NativeSelect>
      </FieldFrame>
      <MessageField form={form} />
    </FormPanel>
  );
}

const MESSAGE_HINT = 'Say what you wanted to do and what you saw. Never send a password or a code.';

function MessageField({ form }: { form: ContractForm<Values> }) {
  const id = form.getFieldId('message');
  const error = form.getError('message');
  const { ref, ...registered } = form.form.register('message');
  return (
    <FieldFrame id={id} label="Your message" hint={MESSAGE_HINT} error={error}>
      <OutlinedInput
        {...registered}
        inputRef={ref}
        id={id}
        multiline
        minRows={5}
        fullWidth
        error={error !== undefined}
        slotProps={{ input: { 'aria-describedby': describedBy(id, MESSAGE_HINT, error), 'aria-required': true } }}
      />
    </FieldFrame>
  );
}
