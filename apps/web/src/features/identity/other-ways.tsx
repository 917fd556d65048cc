/** Logging in without typing: by a passkey of this device, or at a provider. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMutation } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { keptPostLoginPath } from '../../lib/post-login-path.ts';
import { knowsPasskeys, passkeyProblem, signInByPasskey } from '../../lib/passkey.ts';
import { Icon } from '../../ui/icons.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { useFinishSignIn } from './finish-sign-in.ts';
import { ProviderButtons } from './provider-buttons.tsx';

export function OtherWays() {
  const [search] = useSearchParams();
  return (
    <Box sx={{ mt: 3 }}>
      <SectionCard title="Other ways to log in">
        {knowsPasskeys() && <PasskeyButton />}
        <ProviderButtons next={keptPostLoginPath()} startsWithHmrc={search.get('outcome') === 'needs_vrn'} />
      </SectionCard>
    </Box>
  );
}

function PasskeyButton() {
  const finishSignIn = useFinishSignIn();
  // The session's own rule then leads on, as after a password.
  const signIn = useMutation({
    mutationFn: async () => {
      await signInByPasskey();
      await finishSignIn();
    },
  });
  return (
    <Box sx={{ mb: 1.5 }}>
      {signIn.error !== null && (
        <Box sx={{ mb: 2 }}>
          <Notice tone="error" title="You are not logged in yet" role="alert">
            {passkeyProblem(signIn.error)}
          </Notice>
        </Box>
      )}
      <Button
        variant="outlined"
        fullWidth
        sx={{ maxWidth: 'none' }}
        startIcon={<Icon name="key" />}
        onClick={() => signIn.mutate()}
        disabled={signIn.isPending}
      >
        {signIn.isPending ? 'Waiting for your device ...' : 'Use a passkey'}
      </Button>
    </Box>
  );
}
