/** Deliveries to one webhook endpoint, newest first, with a test and a button to resend. */
import type { WebhookDelivery, WebhookEndpoint } from '@portal/contract/webhooks.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Text } from '../../ui/text.tsx';
import { InstantText } from '../formats/date-text.tsx';
import { WebhookError } from './webhook-error.tsx';
import { getWebhookCalls, useWebhookAction } from './use-webhook-action.ts';
import { DELIVERY_LABELS } from './webhook-labels.ts';
import styles from './developers.module.css';

type WebhookDeliveriesProps = { of: 'practice' | 'company'; companyId: string; endpoint: WebhookEndpoint; onClose: () => void };

/** Polls, so that the outcome of a pending delivery appears automatically. */
const REFRESH_MS = 2_000;

export function WebhookDeliveries({ of, companyId, endpoint, onClose }: WebhookDeliveriesProps) {
  const calls = getWebhookCalls(of);
  const address = { company_id: companyId, endpoint_id: endpoint.endpoint_id };
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const cursor = cursors.at(-1);
  const query = useQuery({
    ...apiQuery(calls.deliveries, { ...address, ...(cursor === undefined ? {} : { cursor }) }),
    refetchInterval: ({ state }) => (state.data?.deliveries.some(({ status }) => status === 'pending') ? REFRESH_MS : false),
  });
  const test = useWebhookAction(() => apiRequest(calls.test, address));
  const replay = useWebhookAction((id: string) => apiRequest(calls.replay, { ...address, delivery_id: id }));
  const isOff = endpoint.disabled !== null;
  return (
    <ModalDialog open heading="Deliveries" onClose={onClose}>
      <Stack gap={16}>
        <Row justify="between" gap={8}>
          <Text className={styles.text}>{endpoint.url}</Text>
          <Button size="small" variant="outlined" disabled={isOff || test.isPending} onClick={() => test.mutate()}>
            Send a test
          </Button>
        </Row>
        {isOff && <Text tone="quiet">This endpoint is switched off. Edit it to switch it on.</Text>}
        <WebhookError error={test.error ?? replay.error} />
        <LoadState query={query}>
          {({ deliveries, next_cursor: next }) => (
            <>
              {deliveries.length === 0 ? (
                <Text>Nothing has been sent yet.</Text>
              ) : (
                <Stack as="ul" gap={0} aria-label="Deliveries">
                  {deliveries.map((delivery) => (
                    <DeliveryRow
                      key={delivery.delivery_id}
                      delivery={delivery}
                      isBusy={isOff || replay.isPending}
                      replay={() => replay.mutate(delivery.delivery_id)}
                    />
                  ))}
                </Stack>
              )}
              <Row gap={8}>
                {cursor !== undefined && (
                  <Button size="small" variant="outlined" onClick={() => setCursors(cursors.slice(0, -1))}>
                    Newer
                  </Button>
                )}
                {next !== null && (
                  <Button size="small" variant="outlined" onClick={() => setCursors([...cursors, next])}>
                    Older
                  </Button>
                )}
              </Row>
            </>
          )}
        </LoadState>
      </Stack>
    </ModalDialog>
  );
}

const DELIVERY_LOOKS = {
  pending: { icon: 'clock', tone: 'info' },
  delivered: { icon: 'check', tone: 'success' },
  failed: { icon: 'errorCircle', tone: 'error' },
} as const;

type DeliveryRowProps = { delivery: WebhookDelivery; isBusy: boolean; replay: () => void };

function DeliveryRow({ delivery, isBusy, replay }: DeliveryRowProps) {
  const { event, status, attempts, failure, created_at: at, next_attempt_at: nextAt, body } = delivery;
  return (
    <Row as="li" justify="between" className={styles.item}>
      <div className={styles.text}>
        <Row gap={8}>
          <code className={styles.code}>{event}</code>
          <StateChip label={DELIVERY_LABELS[status]} {...DELIVERY_LOOKS[status]} />
        </Row>
        <Text as="div" size="small" tone="quiet">
          <InstantText at={at} /> · {attempts === 1 ? '1 attempt' : `${attempts} attempts`}
          {delivery.response_status !== null && ` · status ${delivery.response_status}`}
          {status === 'pending' && nextAt !== null && attempts > 0 && (
            <>
              {' '}
              · next <InstantText at={nextAt} />
            </>
          )}
        </Text>
        {failure !== null && (
          <Text as="div" size="small">
            {failure}
          </Text>
        )}
        <details>
          <summary>What was sent</summary>
          <code className={styles.code}>
            {delivery.message_id} {body}
          </code>
        </details>
      </div>
      {status !== 'pending' && (
        <Button variant="text" size="small" disabled={isBusy} onClick={replay}>
          Send again<HiddenText> {delivery.message_id}</HiddenText>
        </Button>
      )}
    </Row>
  );
}
