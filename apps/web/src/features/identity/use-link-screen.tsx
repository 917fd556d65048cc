/** The page that an emailed link opens. Only the button uses up the link, so that a mail scanner opening the page doesn't. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { identityApi } from '@portal/contract/identity.ts';
import { PAGES } from '@portal/contract/pages.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { apiRequest } from '../../lib/api.ts';
import { describeError } from '../../lib/error-text.ts';
import { consumePostLoginPath } from '../../lib/post-login-path.ts';
import { ApiError } from '../../lib/problem-to-error.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { StatusPanel } from '../../ui/status-panel.tsx';
import { Text } from '../../ui/text.tsx';
import styles from './email-address.module.css';
import { useFinishSignIn } from './finish-sign-in.ts';
import { useUrlSecret } from './use-url-secret.ts';

type LinkInfo = EndpointOutput<typeof identityApi.previewLink>;
type LinkLabels = { title: string; lead: string; act: string };

/**
 * Returns the wording that explains the button. The page shows the account's email address above it, because the link may have been
 * forwarded by someone who wants you to use their account.
 */
function getLinkLabels({ purpose, makes_account }: LinkInfo): LinkLabels {
  if (makes_account) return { title: 'Create your account', lead: 'Your account will use this email:', act: 'Confirm email' };
  if (purpose === 'enrol') {
    return { title: 'Set up your operator access', lead: 'You’ll log in as:', act: 'Set up access' };
  }
  if (purpose === 'verify') {
    return { title: 'Confirm your email', lead: 'Confirm this email and log in on this device:', act: 'Confirm email' };
  }
  return { title: 'Log in', lead: 'Log in on this device as:', act: 'Log in' };
}

export function UseLinkScreen() {
  const token = useUrlSecret('token');
  const linkQuery = useQuery({
    queryKey: [identityApi.previewLink.path, token],
    queryFn: ({ signal }) => apiRequest(identityApi.previewLink, { token }, { signal }),
    enabled: token !== '',
    // The link is invalid once used, but the page that used it must not refetch and report that.
    staleTime: Infinity,
  });
  if (token === '') return <InvalidLink text="This link is incomplete. Open it from the email again, or get a new one." />;
  if (linkQuery.error !== null) return <LinkFailed error={linkQuery.error} onRetry={() => void linkQuery.refetch()} />;
  if (linkQuery.data === undefined) {
    return (
      <Page title="Log in" maxWidth="form">
        <CardSkeleton lines={3} />
      </Page>
    );
  }
  return <ConfirmLink token={token} linkInfo={linkQuery.data} />;
}

function ConfirmLink({ token, linkInfo }: { token: string; linkInfo: LinkInfo }) {
  const navigate = useNavigate();
  const finishSignIn = useFinishSignIn();
  const labels = getLinkLabels(linkInfo);
  const consume = useMutation({
    mutationFn: async () => {
      const linkOutput = await apiRequest(identityApi.consumeLink, { token });
      if (linkOutput.type !== 'second_factor') await finishSignIn();
      return linkOutput;
    },
    // If a second factor is needed, keep the saved post-login path until that step is complete.
    onSuccess: ({ type, home_path }) =>
      navigate(type === 'second_factor' ? home_path : (consumePostLoginPath() ?? home_path), { replace: true }),
  });
  if (consume.error !== null) return <LinkFailed error={consume.error} onRetry={() => consume.mutate()} />;
  return (
    <Page title={labels.title} maxWidth="form">
      <SectionCard>
        <Stack>
          <div>
            <Text>{labels.lead}</Text>
            <Text size="large" weight="medium" className={styles.address}>
              {linkInfo.email}
            </Text>
          </div>
          <Text tone="quiet">You can only use this link once. If this isn’t your email, close this page.</Text>
          <ButtonRow>
            <Button onClick={() => consume.mutate()} isBusy={consume.isPending}>
              {labels.act}
            </Button>
          </ButtonRow>
        </Stack>
      </SectionCard>
    </Page>
  );
}

function LinkFailed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  if (error instanceof ApiError && error.code === 'identity.link_in_profile')
    return <UnusableLink title="Log in first" text={error.message} continueLabel="Log in" />;
  if (error instanceof ApiError && isPermanentError(error)) return <InvalidLink text={error.fieldErrors['token'] ?? error.message} />;
  const errorLabels = describeError(error);
  return (
    <Page title="Log in" maxWidth="form">
      <StatusPanel
        state="error"
        heading={errorLabels.heading}
        subHeading={errorLabels.text}
        onContinue={onRetry}
        continueLabel="Try again"
      />
    </Page>
  );
}

/** Retrying can't help, unless the reason was too many attempts. */
function isPermanentError({ status }: ApiError): boolean {
  return status >= 400 && status < 500 && status !== 429;
}

function InvalidLink({ text }: { text: string }) {
  return <UnusableLink title="This link no longer works" text={text} continueLabel="Get a new link" />;
}

/** Continues to the login page. */
function UnusableLink({ title, text, continueLabel }: { title: string; text: string; continueLabel: string }) {
  const navigate = useNavigate();
  return (
    <Page title={title} maxWidth="form">
      <SectionCard>
        <StatusPanel state="warning" subHeading={text} onContinue={() => void navigate(PAGES.loginV2.path)} continueLabel={continueLabel} />
      </SectionCard>
    </Page>
  );
}
