/** The page that a client's invitation opens: whose taxes it covers, who sent it, and how to accept. */
import { PAGES } from '@portal/contract/pages.ts';
import { clientInvitationsApi } from '@portal/contract/client-invitations.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { BrandHeader } from '../../components/practice-brand/brand-header.tsx';
import { useSession } from '../../core/session.tsx';
import { apiRequest } from '../../lib/api.ts';
import { clientInstant, clientText } from '../../lib/client-texts/client-texts.ts';
import { describeError, getErrorText } from '../../lib/error-text.ts';
import { TAX_NAMES } from '@portal/domain/uk-tax/tax.ts';
import { ApiError } from '../../lib/problem-to-error.ts';
import { Button } from '../../ui/button.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { StatusPanel } from '../../ui/status-panel.tsx';
import { Text } from '../../ui/text.tsx';
import { AcceptInvitation } from './accept-invitation.tsx';
import styles from './email-address.module.css';
import { useUrlSecret } from './use-url-secret.ts';

export function ClientSignUpScreen() {
  const token = useUrlSecret('token');
  const { session } = useSession();
  const [openInvitation, setOpened] = useState<OpenInvitationProps>();
  const invitationQuery = useQuery({
    queryKey: [clientInvitationsApi.preview.path, token],
    queryFn: ({ signal }) => apiRequest(clientInvitationsApi.preview, { token }, { signal }),
    enabled: token !== '' && openInvitation === undefined,
  });
  // Keep the first state: joining clears loaded data and starts a session, and the page that used the link must not report it as invalid.
  if (openInvitation === undefined && invitationQuery.data !== undefined && session.status !== 'checking') {
    const ownEmail = session.status === 'signed_in' ? (session.person.email ?? '') : undefined;
    setOpened({ token, invitation: invitationQuery.data, ownEmail });
  }
  if (openInvitation !== undefined) return <OpenInvitation {...openInvitation} />;
  if (token === '') return <NoInvitation />;
  if (invitationQuery.error instanceof ApiError && invitationQuery.error.status === 400) {
    return <UnusableInvitation text={clientText('invitation.over.text')} />;
  }
  if (invitationQuery.error !== null) {
    const { heading, text } = describeError(invitationQuery.error);
    return (
      <Page title={clientText('invitation.title')} maxWidth="form">
        <StatusPanel
          state="error"
          heading={heading}
          subHeading={text}
          onContinue={() => void invitationQuery.refetch()}
          continueLabel={clientText('invitation.again')}
        />
      </Page>
    );
  }
  return (
    <Page title={clientText('invitation.title')} maxWidth="form">
      <CardSkeleton lines={4} />
    </Page>
  );
}

type OpenInvitationProps = {
  token: string;
  invitation: EndpointOutput<typeof clientInvitationsApi.preview>;
  /** The email address of the account that is logged in, if any. */
  ownEmail: string | undefined;
};

function OpenInvitation({ token, invitation, ownEmail }: OpenInvitationProps) {
  const { practice, client, email, invited_by: inviter, expires_at: expiresAt } = invitation;
  return (
    <Page title={clientText('invitation.title_of', { client })} maxWidth="form">
      <Stack gap={24}>
        <BrandHeader brand={invitation.brand} />
        <SectionCard>
          <Stack gap={24}>
            <Text>{clientText('invitation.text', { person: inviter, practice, client })}</Text>
            <div>
              <Text>{clientText('invitation.for')}</Text>
              <Text size="large" weight="medium" className={styles.address}>
                {email}
              </Text>
            </div>
            <InvitationRequests asks={invitation.asks} practice={practice} />
            <AcceptInvitation
              token={token}
              page={PAGES.clientSignUp.path}
              accept={clientInvitationsApi.accept}
              acceptLabel={clientText('invitation.accept')}
              email={email}
              hasAccount={invitation.has_account}
              ownEmail={ownEmail}
            />
            <ReminderSettings token={token} expiresAt={expiresAt} hasEnded={invitation.reminders_ended} />
          </Stack>
        </SectionCard>
      </Stack>
    </Page>
  );
}

/** Shows in advance which steps follow after joining. */
function InvitationRequests({
  asks: { letter, authority },
  practice,
}: {
  asks: OpenInvitationProps['invitation']['asks'];
  practice: string;
}) {
  const taxes = new Intl.ListFormat('en-GB').format(authority.map((tax) => TAX_NAMES[tax]));
  const steps = [
    clientText('invitation.asks.phone'),
    clientText('invitation.asks.consent'),
    ...(letter ? [clientText('invitation.asks.letter', { practice })] : []),
    ...(authority.length > 0 ? [clientText('invitation.asks.authority', { taxes })] : []),
  ];
  return <Text>{clientText('invitation.asks', { list: new Intl.ListFormat('en-GB').format(steps) })}</Text>;
}

/** Shown without a link. Explains how clients get access. */
function NoInvitation() {
  return (
    <Page title={clientText('invitation.none')} maxWidth="form">
      <SectionCard>
        <Stack align="start">
          <Text>{clientText('invitation.none.text')}</Text>
          <Text>{clientText('invitation.none.accepted')}</Text>
          <Button to={PAGES.loginV2.path}>{clientText('invitation.log_in')}</Button>
        </Stack>
      </SectionCard>
    </Page>
  );
}

function ReminderSettings({ token, expiresAt, hasEnded }: { token: string; expiresAt: Instant; hasEnded: boolean }) {
  const stop = useMutation({ mutationFn: () => apiRequest(clientInvitationsApi.stopReminders, { token }) });
  return (
    <Stack gap={8} align="start">
      <Text size="small" tone="quiet">
        {clientText('invitation.expires', { at: clientInstant(expiresAt) })}{' '}
        {clientText(hasEnded || stop.isSuccess ? 'invitation.not_reminded' : 'invitation.reminded')}
      </Text>
      {!hasEnded && !stop.isSuccess && (
        <Button variant="text" size="small" fit="flush" isBusy={stop.isPending} onClick={() => stop.mutate()}>
          {clientText('invitation.stop')}
        </Button>
      )}
      {stop.error !== null && (
        <Text role="alert" size="small" tone="error">
          {getErrorText(stop.error)}
        </Text>
      )}
    </Stack>
  );
}

function UnusableInvitation({ text }: { text: string }) {
  const navigate = useNavigate();
  return (
    <Page title={clientText('invitation.over')} maxWidth="form">
      <SectionCard>
        <StatusPanel
          state="warning"
          subHeading={text}
          onContinue={() => void navigate(PAGES.loginV2.path)}
          continueLabel={clientText('invitation.log_in')}
        />
      </SectionCard>
    </Page>
  );
}
