/** The page that an emailed link opens. Only the button uses up the link, so that a mail scanner that opens the page can't. */
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { identityApi } from '@portal/contract/identity.ts';
import { PAGES } from '@portal/contract/pages.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { apiRequest } from '../../lib/api.ts';
import { describeError } from '../../lib/error-text.ts';
import { takePostLoginPath } from '../../lib/post-login-path.ts';
import { ApiError } from '../../lib/problem-to-error.ts';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { StatusPanel } from '../../ui/status-panel.tsx';
import { useFinishSignIn } from './finish-sign-in.ts';
import { useUrlSecret } from './use-url-secret.ts';

type LinkInfo = EndpointOutput<typeof identityApi.previewLink>;
type LinkTexts = { title: string; lead: string; act: string; busy: string };

/**
 * Texts that explain the button. The account's email is shown above it, because someone who wants you in their account may have forwarded
 * the link.
 */
function getTexts({ purpose, makes_account }: LinkInfo): LinkTexts {
  if (makes_account) return { title: 'Log in', lead: 'This opens an account for', act: 'Log in', busy: 'Logging in ...' };
  if (purpose === 'verify') {
    return {
      title: 'Confirm your email',
      lead: 'This confirms the address, and logs you in on this device as',
      act: 'Confirm the address',
      busy: 'Confirming ...',
    };
  }
  return { title: 'Log in', lead: 'This logs you in on this device as', act: 'Log in', busy: 'Logging in ...' };
}

export function UseLinkScreen() {
  const token = useUrlSecret('token');
  const looked = useQuery({
    queryKey: [identityApi.previewLink.path, token],
    queryFn: ({ signal }) => apiRequest(identityApi.previewLink, { token }, { signal }),
    enabled: token !== '',
    // A used link is invalid, but the page that used it must not say so.
    staleTime: Infinity,
  });
  if (token === '')
    return <InvalidLink text="The address has no link in it. Open the link from the email again, or ask for another one." />;
  if (looked.error !== null) return <LinkFailed error={looked.error} again={() => void looked.refetch()} />;
  if (looked.data === undefined) {
    return (
      <Page title="Log in" maxWidth="form">
        <CardSkeleton lines={3} />
      </Page>
    );
  }
  return <ConfirmLink token={token} looked={looked.data} />;
}

function ConfirmLink({ token, looked }: { token: string; looked: LinkInfo }) {
  const navigate = useNavigate();
  const finishSignIn = useFinishSignIn();
  const words = getTexts(looked);
  const consume = useMutation({
    mutationFn: async () => {
      const answer = await apiRequest(identityApi.consumeLink, { token });
      if (answer.type !== 'second_factor') await finishSignIn();
      return answer;
    },
    // If a second factor is needed, the path to open afterwards stays saved until then.
    onSuccess: ({ type, home_path }) =>
      navigate(type === 'second_factor' ? home_path : (takePostLoginPath() ?? home_path), { replace: true }),
  });
  if (consume.error !== null) return <LinkFailed error={consume.error} again={() => consume.mutate()} />;
  return (
    <Page title={words.title} maxWidth="form">
      <SectionCard>
        <Typography>{words.lead}</Typography>
        <Typography sx={{ fontSize: '1.25rem', fontWeight: 500, overflowWrap: 'anywhere' }}>{looked.email}</Typography>
        <Typography sx={{ mt: 1, mb: 3, color: 'text.secondary' }}>
          The link then cannot be used again. If this is not your address, close this page.
        </Typography>
        <Button
          onClick={() => consume.mutate()}
          disabled={consume.isPending}
          sx={{ width: { xs: '100%', sm: 300 }, maxWidth: { xs: 'none', sm: 300 } }}
        >
          {consume.isPending ? words.busy : words.act}
        </Button>
      </SectionCard>
    </Page>
  );
}

function LinkFailed({ error, again }: { error: Error; again: () => void }) {
  if (error instanceof ApiError && isPermanentError(error)) return <InvalidLink text={error.fieldErrors['token'] ?? error.message} />;
  const words = describeError(error);
  return (
    <Page title="Log in" maxWidth="form">
      <StatusPanel state="error" heading={words.heading} subHeading={words.text} onContinue={again} continueLabel="Try again" />
    </Page>
  );
}

/** Trying again can't help, unless there were only too many attempts. */
function isPermanentError({ status }: ApiError): boolean {
  return status >= 400 && status < 500 && status !== 429;
}

function InvalidLink({ text }: { text: string }) {
  const navigate = useNavigate();
  return (
    <Page title="This link does not work any more" maxWidth="form">
      <SectionCard>
        <StatusPanel
          state="warning"
          subHeading={text}
          onContinue={() => void navigate(PAGES.loginV2.path)}
          continueLabel="Get a new link"
        />
      </SectionCard>
    </Page>
  );
}
