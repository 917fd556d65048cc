/** The page that an email change link opens. Only the button confirms the change, so that a mail scanner opening the page doesn't. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { PAGES } from '@portal/contract/pages.ts';
import { securityApi } from '@portal/contract/security.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { useSession } from '../../core/session.tsx';
import { apiRequest } from '../../lib/api.ts';
import { describeError } from '../../lib/error-text.ts';
import { ApiError } from '../../lib/problem-to-error.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { StatusPanel } from '../../ui/status-panel.tsx';
import { Text } from '../../ui/text.tsx';
import { useUrlSecret } from './use-url-secret.ts';

const TITLE = 'Confirm your email';

type Preview = EndpointOutput<typeof securityApi.previewEmailChange>;
type ConfirmOutcome = EndpointOutput<typeof securityApi.confirmEmailChange>;

export function ConfirmEmailChangeScreen() {
  const token = useUrlSecret('token');
  const preview = useQuery({
    queryKey: [securityApi.previewEmailChange.path, token],
    queryFn: ({ signal }) => apiRequest(securityApi.previewEmailChange, { token }, { signal }),
    enabled: token !== '',
    // The link is invalid once used, but the page that used it must not refetch and report that.
    staleTime: Infinity,
  });
  if (token === '') return <LinkEnded text="This link is incomplete. Open it from the email again." />;
  if (preview.error !== null) return <ConfirmationFailed error={preview.error} onRetry={() => void preview.refetch()} />;
  if (preview.data === undefined) {
    return (
      <Page title={TITLE} maxWidth="form">
        <CardSkeleton lines={3} />
      </Page>
    );
  }
  return <ConfirmForm token={token} preview={preview.data} />;
}

function ConfirmForm({ token, preview }: { token: string; preview: Preview }) {
  const { check } = useSession();
  const confirm = useMutation({
    mutationFn: () => apiRequest(securityApi.confirmEmailChange, { token }),
    onSuccess: () => check(),
  });
  if (confirm.error !== null) return <ConfirmationFailed error={confirm.error} onRetry={() => confirm.mutate()} />;
  if (confirm.data !== undefined) return <EmailConfirmed outcome={confirm.data} mailbox={preview.mailbox} />;
  return (
    <Page title={TITLE} maxWidth="form">
      <SectionCard>
        <Stack>
          <Text>{preview.mailbox === 'old' ? 'Confirm the email change for your account:' : 'Confirm that this new email is yours:'}</Text>
          <FactList
            facts={[
              { label: 'From', value: preview.old_email },
              { label: 'To', value: preview.new_email },
            ]}
          />
          <Text tone="quiet">If you didn’t request this, close this page. Nothing will change.</Text>
          <ButtonRow>
            <Button onClick={() => confirm.mutate()} isBusy={confirm.isPending}>
              {preview.mailbox === 'old' ? 'Confirm change' : 'Confirm new email'}
            </Button>
          </ButtonRow>
        </Stack>
      </SectionCard>
    </Page>
  );
}

function EmailConfirmed({ outcome, mailbox }: { outcome: ConfirmOutcome; mailbox: Preview['mailbox'] }) {
  const navigate = useNavigate();
  const isChanged = outcome.status === 'changed';
  const otherEmail = mailbox === 'old' ? outcome.new_email : outcome.old_email;
  return (
    <Page title={isChanged ? 'Email changed' : 'One more link'} maxWidth="form">
      <SectionCard>
        <StatusPanel
          state="success"
          subHeading={
            isChanged
              ? `Your account now uses ${outcome.new_email}. Log in with it from now on.`
              : `Confirmed. Now open the link we sent to ${otherEmail} to complete the change.`
          }
          onContinue={() => void navigate(PAGES.home.path)}
          continueLabel="Continue"
        />
      </SectionCard>
    </Page>
  );
}

function ConfirmationFailed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  if (error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429)
    return <LinkEnded text={error.fieldErrors['token'] ?? error.message} />;
  const { heading, text } = describeError(error);
  return (
    <Page title={TITLE} maxWidth="form">
      <StatusPanel state="error" heading={heading} subHeading={text} onContinue={onRetry} continueLabel="Try again" />
    </Page>
  );
}

function LinkEnded({ text }: { text: string }) {
  const navigate = useNavigate();
  return (
    <Page title="This link no longer works" maxWidth="form">
      <SectionCard>
        <StatusPanel
          state="warning"
          subHeading={text}
          onContinue={() => void navigate(PAGES.profile.path)}
          continueLabel="Go to your profile"
        />
      </SectionCard>
    </Page>
  );
}
