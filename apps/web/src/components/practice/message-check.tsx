/** Previews a message: recipients, the text for the first few clients, excluded clients, and a test to the user. */
import { messagesApi, type LeftOutClient } from '@portal/contract/messages.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { toInstant } from '@portal/domain/clock.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { formatClientCount } from '../../lib/client-labels.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Text } from '../../ui/text.tsx';
import { InstantText } from '../formats/date-text.tsx';
import styles from './message-check.module.css';
import type { MessageDraft } from './message-fields.tsx';
import { MessageRouteText } from './message-route-text.tsx';

type MessagePreview = EndpointOutput<typeof messagesApi.preview>;
type MessageCheckProps = { companyId: string; preview: MessagePreview; draft: MessageDraft };

export function MessageCheck({ companyId, preview, draft }: MessageCheckProps) {
  const { recipients, samples, route } = preview;
  const [index, setIndex] = useState(0);
  const sample = samples[index];
  const hours = Math.ceil(recipients / route.per_day) * 24;
  return (
    <Stack gap={16}>
      <div>
        <Text weight="bold">
          {formatClientCount(recipients)} will get this message
          {draft.sendAt !== '' && (
            <>
              {' '}
              on <InstantText at={toInstant(Date.parse(draft.sendAt))} />
            </>
          )}
          .
        </Text>
        <MessageRouteText route={route} />
        {recipients > route.per_day && (
          <Text size="small" tone="quiet">
            {route.per_day.toLocaleString('en-GB')} can be sent in 24 hours, so the last messages will be sent after about {hours} hours.
          </Text>
        )}
      </div>
      {preview.left_out > 0 && <LeftOut total={preview.left_out} clients={preview.left_out_clients} />}
      {sample && (
        <Stack gap={8}>
          <Row justify="between">
            <Text weight="medium">As {sample.name} will get it</Text>
            {samples.length > 1 && (
              <Button size="small" variant="text" onClick={() => setIndex((index + 1) % samples.length)}>
                Next client
              </Button>
            )}
          </Row>
          <article className={styles.mail} aria-label={`Preview for ${sample.name}`}>
            <Text size="small" tone="quiet">
              To {sample.email}
            </Text>
            <Text weight="bold">{sample.subject}</Text>
            <Text className={styles.body}>{sample.body}</Text>
          </article>
          <TestToOneself key={sample.client_id} companyId={companyId} clientId={sample.client_id} draft={draft} />
        </Stack>
      )}
    </Stack>
  );
}

const REASONS: Readonly<Record<LeftOutClient['reason'], string>> = {
  no_email: 'no email address',
  undeliverable: 'an earlier email to this address bounced',
  missing_fields: 'not known:',
  closed: 'archived or closed',
};

function LeftOut({ total, clients }: { total: number; clients: readonly LeftOutClient[] }) {
  return (
    <Notice tone="warning" title={`${formatClientCount(total)} excluded`}>
      <ul className={styles.leftOut}>
        {clients.map(({ client_id: id, name, reason, missing }) => (
          <li key={id}>
            {name}: {REASONS[reason]} {missing.join(', ')}
          </li>
        ))}
        {total > clients.length && <li>and {(total - clients.length).toLocaleString('en-GB')} more</li>}
      </ul>
    </Notice>
  );
}

type TestProps = { companyId: string; clientId: string; draft: MessageDraft };

function TestToOneself({ companyId, clientId, draft }: TestProps) {
  const test = useMutation({
    mutationFn: () =>
      apiRequest(messagesApi.sendTest, {
        company_id: companyId,
        message_id: crypto.randomUUID(),
        client_id: clientId,
        subject: draft.subject,
        body: draft.body,
      }),
  });
  return (
    <Row gap={12}>
      <Button size="small" variant="outlined" disabled={test.isPending} onClick={() => test.mutate()}>
        Send a test to yourself
      </Button>
      {test.data && (
        <Text role="status" size="small">
          On its way to {test.data.email}.
        </Text>
      )}
      {test.error !== null && (
        <Text role="alert" size="small" tone="error">
          {getErrorText(test.error)}
        </Text>
      )}
    </Row>
  );
}
