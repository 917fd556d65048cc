/** Email addresses that bounced: what happened, what it means, and a button to try one again. */
import { mailReportsApi, type UndeliverableAddress } from '@portal/contract/mail-reports.ts';
import { toLondonDate } from '@portal/domain/clock.ts';
import { FAILURE_MESSAGES } from '@portal/domain/mail-reports/delivery-failure.ts';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { Button } from '../../ui/button.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { useToast } from '../../ui/toast.tsx';
import { DateText } from '../formats/date-text.tsx';

/** Shown on a client’s page, but only if one of the client's addresses has bounced. */
export function UndeliverableNotice({ companyId, clientId }: { companyId: string; clientId: string }) {
  const { data } = useQuery(apiQuery(mailReportsApi.ofClient, { company_id: companyId, client_id: clientId }));
  return data?.addresses.map((address) => (
    <Notice key={address.email} tone="warning" title={`We’ve stopped emailing ${address.email}`}>
      <Stack gap={8}>
        <Text>
          <DeliveryProblem address={address} /> Messages, reminders and invitations aren’t sent to this address. Correct it, or try it
          again.
        </Text>
        {data.may_retry && <RetryAddress companyId={companyId} address={address} />}
      </Stack>
    </Notice>
  ));
}

/** Only a few, because the messages follow below. */
const MAX_SHOWN = 10;

/** All of a practice’s bounced addresses, including colleagues' and clients' previous addresses. */
export function UndeliverableCard({ companyId }: { companyId: string }) {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const cursor = cursors.at(-1);
  const { data } = useQuery({
    ...apiQuery(mailReportsApi.list, { company_id: companyId, limit: MAX_SHOWN, ...(cursor === undefined ? {} : { cursor }) }),
    placeholderData: keepPreviousData,
  });
  if (data === undefined || (data.addresses.length === 0 && cursor === undefined)) return null;
  const { next_cursor: next } = data;
  return (
    <SectionCard
      title="Addresses we no longer email"
      source="Emails to these addresses bounced or were reported as spam. We still try to send receipts and other essential emails."
    >
      <Stack gap={16}>
        <Stack as="ul" gap={16} aria-label="Addresses we no longer email">
          {data.addresses.map((address) => (
            <Stack as="li" key={address.email} gap={4}>
              <Text weight="bold">{address.email}</Text>
              <Text size="small">
                {address.client !== null && (
                  <>
                    <TextLink to={getPageLink('clientDashboard', { company_id: companyId, client_id: address.client.client_id })}>
                      {address.client.name}
                    </TextLink>
                    {'. '}
                  </>
                )}
                <DeliveryProblem address={address} />
              </Text>
              <RetryAddress companyId={companyId} address={address} />
            </Stack>
          ))}
        </Stack>
        {(cursor !== undefined || next !== null) && (
          <Row gap={8}>
            <Button size="small" variant="outlined" disabled={cursor === undefined} onClick={() => setCursors(cursors.slice(0, -1))}>
              Newer
            </Button>
            <Button
              size="small"
              variant="outlined"
              disabled={next === null}
              onClick={() => next !== null && setCursors([...cursors, next])}
            >
              Older
            </Button>
          </Row>
        )}
      </Stack>
    </SectionCard>
  );
}

function DeliveryProblem({ address: { cause, detail, reported_at: at } }: { address: UndeliverableAddress }) {
  return (
    <>
      {cause === 'complaint' ? 'Reported as spam on ' : 'An email to this address bounced on '}
      <DateText date={toLondonDate(at)} />. {cause !== 'complaint' && FAILURE_MESSAGES[cause]}
      {detail !== '' && ` The mail server’s response: ${detail}.`}
    </>
  );
}

function RetryAddress({ companyId, address: { email, cause } }: { companyId: string; address: UndeliverableAddress }) {
  const [isOpen, setIsOpen] = useState(false);
  const queryClient = useQueryClient();
  const toast = useToast();
  const retry = useMutation({
    mutationFn: () => apiRequest(mailReportsApi.retry, { company_id: companyId, email }),
    onSuccess: async () => {
      toast('success', `We’ll email ${email} again`);
      await Promise.all(
        [mailReportsApi.list, mailReportsApi.ofClient].map(({ path }) => queryClient.invalidateQueries({ queryKey: [path] })),
      );
    },
  });
  return (
    <Row>
      <Button size="small" variant="outlined" onClick={() => setIsOpen(true)}>
        Try this address again <HiddenText>{email}</HiddenText>
      </Button>
      {isOpen && (
        <ConfirmDialog
          heading={`Email ${email} again?`}
          mutation={retry}
          onConfirm={() => retry.mutate()}
          onClose={() => setIsOpen(false)}
          confirmLabel="Try again"
        >
          <Text>
            {cause === 'complaint'
              ? 'Only do this if the person has agreed to receive your emails. Another complaint could make mail servers reject emails to your other clients.'
              : 'If another email bounces, we’ll stop emailing this address again and let you know.'}{' '}
            Emails that weren’t sent in the meantime won’t be sent now.
          </Text>
        </ConfirmDialog>
      )}
    </Row>
  );
}
