/** The endpoints that receive a practice's or a company's webhooks. */
import type { WebhookEndpoint } from '@portal/contract/webhooks.ts';
import { PAGES } from '@portal/contract/pages.ts';
import { WEBHOOK_EVENT_NAMES } from '@portal/domain/developers/webhook-events.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { InstantText } from '../formats/date-text.tsx';
import type { KeyOwnerKind } from './api-keys-card.tsx';
import { getWebhookCalls, useWebhookAction } from './use-webhook-action.ts';
import { SecretDialog, WebhookDialog } from './webhook-dialog.tsx';
import { DISABLED_LABELS } from './webhook-labels.ts';
import { WebhookDeliveries } from './webhook-deliveries.tsx';
import styles from './developers.module.css';

type OpenedDialog = { readonly dialog: 'edit' | 'deliveries' | 'rotate' | 'remove'; readonly endpoint: WebhookEndpoint };

export function WebhooksCard({ of, companyId }: { of: KeyOwnerKind; companyId: string }) {
  const query = useQuery(apiQuery(getWebhookCalls(of).list, { company_id: companyId }));
  const [isAdding, setIsAdding] = useState(false);
  const [openedWebhook, setOpened] = useState<OpenedDialog>();
  const close = () => setOpened(undefined);
  return (
    <SectionCard
      title="Webhooks"
      aside={
        <Button size="small" variant="outlined" onClick={() => setIsAdding(true)}>
          Add an endpoint
        </Button>
      }
    >
      <Stack gap={16}>
        <Text tone="quiet">
          We notify your software with a signed request when something happens.{' '}
          <TextLink to={PAGES.developers.path}>How to receive webhooks</TextLink>
        </Text>
        <LoadState query={query}>
          {({ endpoints }) =>
            endpoints.length === 0 ? (
              <Text>No endpoints yet.</Text>
            ) : (
              <Stack as="ul" gap={0} aria-label="Webhook endpoints">
                {endpoints.map((endpoint) => (
                  <EndpointRow key={endpoint.endpoint_id} endpoint={endpoint} open={(dialog) => setOpened({ dialog, endpoint })} />
                ))}
              </Stack>
            )
          }
        </LoadState>
      </Stack>
      {isAdding && <WebhookDialog of={of} companyId={companyId} endpoint={undefined} onClose={() => setIsAdding(false)} />}
      {openedWebhook?.dialog === 'edit' && (
        <WebhookDialog of={of} companyId={companyId} endpoint={openedWebhook.endpoint} onClose={close} />
      )}
      {openedWebhook?.dialog === 'deliveries' && (
        <WebhookDeliveries of={of} companyId={companyId} endpoint={openedWebhook.endpoint} onClose={close} />
      )}
      {openedWebhook?.dialog === 'rotate' && (
        <RotateDialog of={of} companyId={companyId} endpoint={openedWebhook.endpoint} onClose={close} />
      )}
      {openedWebhook?.dialog === 'remove' && (
        <RemoveDialog of={of} companyId={companyId} endpoint={openedWebhook.endpoint} onClose={close} />
      )}
    </SectionCard>
  );
}

function EndpointRow({ endpoint, open }: { endpoint: WebhookEndpoint; open: (dialog: OpenedDialog['dialog']) => void }) {
  const { url, events, disabled, failing_since: failingSince } = endpoint;
  return (
    <li className={styles.item}>
      <Stack gap={8}>
        <Row gap={8}>
          <Text as="span" weight="medium" className={styles.address}>
            {url}
          </Text>
          {disabled !== null && <StateChip label={DISABLED_LABELS[disabled]} icon="close" tone="warning" />}
          {disabled === null && failingSince !== null && <StateChip label="Failing" icon="close" tone="error" />}
        </Row>
        <Text as="div" size="small" tone="quiet">
          {events.map((event) => WEBHOOK_EVENT_NAMES[event]).join(' · ')}
        </Text>
        {endpoint.former_secret_until !== null && (
          <Text as="div" size="small" tone="quiet">
            We’ll also sign with the previous secret until <InstantText at={endpoint.former_secret_until} />
          </Text>
        )}
        <Row gap={16}>
          <TextLink onClick={() => open('deliveries')}>Deliveries and test</TextLink>
          <TextLink onClick={() => open('edit')}>Edit</TextLink>
          <TextLink onClick={() => open('rotate')}>Replace secret</TextLink>
          <TextLink onClick={() => open('remove')}>Remove</TextLink>
        </Row>
      </Stack>
    </li>
  );
}

type DialogProps = { of: KeyOwnerKind; companyId: string; endpoint: WebhookEndpoint; onClose: () => void };

function RotateDialog({ of, companyId, endpoint, onClose }: DialogProps) {
  const rotate = useWebhookAction(() =>
    apiRequest(getWebhookCalls(of).rotate, { company_id: companyId, endpoint_id: endpoint.endpoint_id }),
  );
  if (rotate.data) return <SecretDialog secret={rotate.data.secret} onClose={onClose} />;
  return (
    <ConfirmDialog
      heading="Replace the secret?"
      mutation={rotate}
      onConfirm={() => rotate.mutate()}
      onClose={onClose}
      confirmLabel="Replace secret"
    >
      <Text>For 24 hours, we’ll sign with both secrets so that you can update your receiver. After that, we’ll only use the new one.</Text>
    </ConfirmDialog>
  );
}

function RemoveDialog({ of, companyId, endpoint, onClose }: DialogProps) {
  const remove = useWebhookAction(
    () => apiRequest(getWebhookCalls(of).remove, { company_id: companyId, endpoint_id: endpoint.endpoint_id }),
    onClose,
  );
  return (
    <ConfirmDialog
      heading="Remove this endpoint?"
      mutation={remove}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
      confirmLabel="Remove"
      tone="error"
    >
      <Text>{endpoint.url} won’t receive any more webhooks, and its deliveries will be deleted. This can’t be undone.</Text>
    </ConfirmDialog>
  );
}
