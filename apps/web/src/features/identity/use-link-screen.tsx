/** The page an e-mailed link opens. Opening it uses nothing, so that a mail scanner cannot spend it; the button does. */
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { identityApi } from '@portal/contract/identity.ts';
import { PAGES } from '@portal/contract/pages.ts';
import { useMutation } from '@tanstack/react-query';
import { useNavigate, useSearchParams } from 'react-router';
import { call } from '../../lib/api.ts';
import { errorWords } from '../../lib/error-text.ts';
import { takePostLoginPath } from '../../lib/post-login-path.ts';
import { ApiError } from '../../lib/problem-to-error.ts';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StatusPanel } from '../../ui/status-panel.tsx';
import { useFinishSignIn } from './finish-sign-in.ts';

export function UseLinkScreen() {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const finishSignIn = useFinishSignIn();
  const token = search.get('token') ?? '';
  const consume = useMutation({
    mutationFn: async () => {
      const answer = await call(identityApi.consumeLink, { token });
      if (answer.type !== 'second_factor') await finishSignIn();
      return answer;
    },
    // The page that was wanted stays kept until the second factor is given.
    onSuccess: ({ type, home_path }) =>
      navigate(type === 'second_factor' ? home_path : (takePostLoginPath() ?? home_path), { replace: true }),
  });
  if (token === '')
    return <LinkIsOver text="The address has no link in it. Open the link from the e-mail again, or ask for another one." />;
  if (consume.error !== null) {
    if (consume.error instanceof ApiError && isRefusal(consume.error)) {
      return <LinkIsOver text={consume.error.fieldErrors['token'] ?? consume.error.message} />;
    }
    const words = errorWords(consume.error);
    return (
      <Page title="Log in" maxWidth="form">
        <StatusPanel
          state="error"
          heading={words.heading}
          subHeading={words.text}
          onContinue={() => consume.mutate()}
          continueLabel="Try again"
        />
      </Page>
    );
  }
  return (
    <Page title="Log in" maxWidth="form">
      <SectionCard>
        <Typography sx={{ mb: 3 }}>Press the button to log in on this device. The link then cannot be used again.</Typography>
        <Button
          onClick={() => consume.mutate()}
          disabled={consume.isPending}
          sx={{ width: { xs: '100%', sm: 300 }, maxWidth: { xs: 'none', sm: 300 } }}
        >
          {consume.isPending ? 'Logging in ...' : 'Log in'}
        </Button>
      </SectionCard>
    </Page>
  );
}

/** Trying again cannot help, unless there were only too many tries. */
function isRefusal({ status }: ApiError): boolean {
  return status >= 400 && status < 500 && status !== 429;
}

function LinkIsOver({ text }: { text: string }) {
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
