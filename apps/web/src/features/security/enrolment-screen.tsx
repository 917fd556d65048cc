/** The page where an operator sets up a second factor, or confirms with an existing one, before using the operators' pages. */
import { PAGES } from '@portal/contract/pages.ts';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { useSession } from '../../core/session.tsx';
import { confirmWithPasskey, getPasskeyErrorMessage } from '../../lib/passkey.ts';
import { Button } from '../../ui/button.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { AuthenticatorCard } from './authenticator-card.tsx';
import { PasskeysCard } from './passkeys-card.tsx';
import { useSecurity, type Security } from './use-security.ts';

export function EnrolmentScreen() {
  const query = useSecurity();
  return (
    <Page
      title="Your second factor"
      maxWidth="text"
      lead="Operators need a passkey or an authenticator app. We ask for it when you log in, and again before you move money or change access."
    >
      <LoadState query={query}>{(security) => <Enrolment security={security} />}</LoadState>
    </Page>
  );
}

function Enrolment({ security }: { security: Security }) {
  const { session } = useSession();
  const status = session.status === 'signed_in' ? session.person.operator_status : undefined;
  const hasFactor = security.authenticator !== null || security.passkeys.length > 0;
  // Only the enrolment link allows adding a factor without confirming an existing one.
  if (status === 'needs_factor') return <ShowFactor hasPasskey={security.passkeys.length > 0} />;
  return (
    <Stack gap={24}>
      {hasFactor && <ContinueCard />}
      {status === 'enrolling' && security.passkeys.length > 0 && <ShowFactor hasPasskey />}
      <PasskeysCard security={security} />
      <AuthenticatorCard security={security} />
    </Stack>
  );
}

function ContinueCard() {
  const openQueues = useOpenQueues();
  return (
    <SectionCard title="You’re set up">
      <Stack>
        <Text>If you set up an app, save the recovery codes below first. You can add more passkeys in your profile.</Text>
        <div>
          <Button onClick={() => void openQueues()}>Continue</Button>
        </div>
      </Stack>
    </SectionCard>
  );
}

function ShowFactor({ hasPasskey }: { hasPasskey: boolean }) {
  const openQueues = useOpenQueues();
  const passkey = useMutation({ mutationFn: confirmWithPasskey, onSuccess: openQueues });
  if (!hasPasskey) {
    return (
      <Notice tone="warning" title="You have no second factor">
        Ask an administrator for a new enrolment link.
      </Notice>
    );
  }
  return (
    <SectionCard title="Use your passkey">
      <Stack>
        <Text>You logged in without your passkey. Use it to open the operator pages.</Text>
        {passkey.error && (
          <Notice tone="error" title="Passkey not accepted" role="alert">
            {getPasskeyErrorMessage(passkey.error)}
          </Notice>
        )}
        <div>
          <Button onClick={() => passkey.mutate()} isBusy={passkey.isPending}>
            Use passkey
          </Button>
        </div>
      </Stack>
    </SectionCard>
  );
}

/** Rechecks the session before the next page opens, because its rights have changed. */
function useOpenQueues(): () => Promise<void> {
  const navigate = useNavigate();
  const { check } = useSession();
  return async () => {
    await check();
    await navigate(PAGES.adminQueues.path, { replace: true });
  };
}
