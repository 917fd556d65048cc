/** Adds or edits a webhook endpoint. The secret of a new endpoint is shown once. */
import type { WebhookEndpoint } from '@portal/contract/webhooks.ts';
import { COMPANY_EVENTS, PRACTICE_EVENTS, WEBHOOK_EVENT_NAMES, type WebhookEvent } from '@portal/domain/developers/webhook-events.ts';
import { useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { Checkbox } from '../../ui/choice.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { FieldFrame } from '../../ui/form-field.tsx';
import { TextInput } from '../../ui/input.tsx';
import { Stack } from '../../ui/layout.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { getMissingText, SubmitButton } from '../../ui/submit-button.tsx';
import { Text } from '../../ui/text.tsx';
import { WebhookError } from './webhook-error.tsx';
import { getWebhookCalls, useWebhookAction } from './use-webhook-action.ts';
import styles from './developers.module.css';

type WebhookDialogProps = {
  of: 'practice' | 'company';
  companyId: string;
  /** Undefined for a new endpoint. */
  endpoint: WebhookEndpoint | undefined;
  onClose: () => void;
};

export function WebhookDialog({ of, companyId, endpoint, onClose }: WebhookDialogProps) {
  const choices: readonly WebhookEvent[] = of === 'practice' ? PRACTICE_EVENTS : COMPANY_EVENTS;
  const [url, setUrl] = useState(endpoint?.url ?? '');
  const [events, setEvents] = useState<readonly WebhookEvent[]>(endpoint?.events ?? choices);
  const [isOn, setIsOn] = useState(endpoint === undefined || endpoint.disabled === null);
  const calls = getWebhookCalls(of);
  const create = useWebhookAction(() => apiRequest(calls.create, { company_id: companyId, url, events: [...events] }));
  const change = useWebhookAction(
    () =>
      apiRequest(calls.change, { company_id: companyId, endpoint_id: endpoint?.endpoint_id ?? '', url, events: [...events], is_on: isOn }),
    onClose,
  );
  if (create.data) return <SecretDialog secret={create.data.secret} onClose={onClose} />;
  const isBusy = create.isPending || change.isPending;
  const toggle = (event: WebhookEvent) =>
    setEvents(choices.filter((choice) => (choice === event ? !events.includes(choice) : events.includes(choice))));
  return (
    <ModalDialog open small heading={endpoint ? 'Edit endpoint' : 'Add an endpoint'} onClose={onClose} loading={isBusy}>
      <form
        noValidate
        onSubmit={(submitted) => {
          submitted.preventDefault();
          if (endpoint) change.mutate();
          else create.mutate();
        }}
      >
        <Stack gap={16}>
          <WebhookError error={create.error ?? change.error} />
          <FieldFrame
            id="webhook-url"
            label="Endpoint URL"
            hint="A URL on the public internet, for example https://example.com/webhooks. In a sandbox, it can also be on your own computer."
          >
            <TextInput
              id="webhook-url"
              type="url"
              value={url}
              onChange={({ target }) => setUrl(target.value)}
              autoComplete="off"
              maxLength={500}
            />
          </FieldFrame>
          <fieldset>
            <legend>Events</legend>
            {choices.map((event) => (
              <Checkbox
                key={event}
                label={WEBHOOK_EVENT_NAMES[event]}
                hint={<code className={styles.code}>{event}</code>}
                checked={events.includes(event)}
                onChange={() => toggle(event)}
              />
            ))}
          </fieldset>
          {endpoint && <Checkbox label="Send webhooks to this endpoint" checked={isOn} onChange={() => setIsOn(!isOn)} />}
          <SubmitButton
            isBusy={isBusy}
            missing={getMissingText([
              url.trim() === '' ? 'Enter the endpoint’s URL.' : undefined,
              events.length === 0 ? 'Choose at least one event.' : undefined,
            ])}
          >
            {endpoint ? 'Save' : 'Add endpoint'}
          </SubmitButton>
        </Stack>
      </form>
    </ModalDialog>
  );
}

export function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <ModalDialog open small heading="Copy the signing secret now" onClose={onClose}>
      <Stack gap={16}>
        <Text>Your receiver uses it to check that a webhook comes from us. We can’t show it again, but you can replace it.</Text>
        <code className={styles.secret}>{secret}</code>
        <ButtonRow>
          <CopyButton text={secret} what="signing secret" />
          <Button onClick={onClose}>Done</Button>
        </ButtonRow>
      </Stack>
    </ModalDialog>
  );
}
