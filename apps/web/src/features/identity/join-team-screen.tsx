/** The page that an invitation to a practice's team opens. Only its button uses the link. */
import { PAGES } from '@portal/contract/pages.ts';
import { teamInvitationsApi } from '@portal/contract/team-invitations.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { useSession } from '../../core/session.tsx';
import { apiRequest } from '../../lib/api.ts';
import { useContractForm } from '../../lib/contract-form.ts';
import { describeError, errorText } from '../../lib/error-text.ts';
import { savePostLoginPath } from '../../lib/post-login-path.ts';
import { ApiError } from '../../lib/problem-to-error.ts';
import { saveCompanyId } from '../../lib/saved-company-id.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { FormField } from '../../ui/form-field.tsx';
import { FormPanel } from '../../ui/form-panel.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { StatusPanel } from '../../ui/status-panel.tsx';
import { Text } from '../../ui/text.tsx';
import styles from './email-address.module.css';
import { useFinishSignIn } from './finish-sign-in.ts';
import { useUrlSecret } from './use-url-secret.ts';

export function JoinTeamScreen() {
  const token = useUrlSecret('token');
  const { session } = useSession();
  const [opened, setOpened] = useState<OpenInvitationProps>();
  const looked = useQuery({
    queryKey: [teamInvitationsApi.preview.path, token],
    queryFn: ({ signal }) => apiRequest(teamInvitationsApi.preview, { token }, { signal }),
    enabled: token !== '' && opened === undefined,
  });
  // Kept as they were at first: joining clears what was loaded and starts a session, and the page that used the link must not say that it's invalid.
  if (opened === undefined && looked.data !== undefined && session.status !== 'checking') {
    const ownEmail = session.status === 'signed_in' ? (session.person.email ?? '') : undefined;
    setOpened({ token, invitation: looked.data, ownEmail });
  }
  if (opened !== undefined) return <OpenInvitation {...opened} />;
  if (token === '') return <NotUsable text="This address doesn’t include a link. Open the link in the email again." />;
  if (looked.error instanceof ApiError && looked.error.status === 400) {
    return (
      <NotUsable text="This invitation has expired, was revoked or has already been used. Ask the person who invited you for a new one." />
    );
  }
  if (looked.error !== null) {
    const { heading, text } = describeError(looked.error);
    return (
      <Page title="Join a team" maxWidth="form">
        <StatusPanel state="error" heading={heading} subHeading={text} onContinue={() => void looked.refetch()} continueLabel="Try again" />
      </Page>
    );
  }
  return (
    <Page title="Join a team" maxWidth="form">
      <CardSkeleton lines={4} />
    </Page>
  );
}

type OpenInvitationProps = {
  token: string;
  invitation: EndpointOutput<typeof teamInvitationsApi.preview>;
  /** The address of the account that is logged in; undefined if none is. */
  ownEmail: string | undefined;
};

function OpenInvitation({ token, invitation, ownEmail }: OpenInvitationProps) {
  const { practice, email, role, invited_by: inviter } = invitation;
  return (
    <Page title={`Join ${practice}`} maxWidth="form">
      <SectionCard>
        <Stack gap={24}>
          <Text>
            {inviter} has invited you to work with {practice} as {role === 'admin' ? 'an admin' : 'a team member'}.
          </Text>
          <div>
            <Text>The invitation is for:</Text>
            <Text size="large" weight="medium" className={styles.address}>
              {email}
            </Text>
          </div>
          {ownEmail === email ? (
            <JoinButton token={token} practice={practice} />
          ) : ownEmail !== undefined ? (
            <OtherAccount token={token} email={email} ownEmail={ownEmail} />
          ) : invitation.has_account ? (
            <LogInFirst token={token} />
          ) : (
            <NewAccount token={token} />
          )}
        </Stack>
      </SectionCard>
    </Page>
  );
}

/** After joining, the new practice is the one that pages open. */
function useOpenPractice() {
  const navigate = useNavigate();
  const finishSignIn = useFinishSignIn();
  return async (homePath: string) => {
    await finishSignIn();
    saveCompanyId(new URLSearchParams(homePath.split('?')[1] ?? '').get('company_id') ?? '');
    await navigate(homePath, { replace: true });
  };
}

function JoinButton({ token, practice }: { token: string; practice: string }) {
  const openPractice = useOpenPractice();
  const accept = useMutation({
    mutationFn: () => apiRequest(teamInvitationsApi.accept, { token }),
    onSuccess: ({ home_path: homePath }) => openPractice(homePath),
  });
  return (
    <>
      {accept.error && (
        <Notice tone="error" title="You haven’t joined" role="alert">
          {errorText(accept.error)}
        </Notice>
      )}
      <ButtonRow>
        <Button onClick={() => accept.mutate()} isBusy={accept.isPending}>
          Join {practice}
        </Button>
      </ButtonRow>
    </>
  );
}

function OtherAccount({ token, email, ownEmail }: { token: string; email: string; ownEmail: string }) {
  return (
    <>
      <Notice tone="warning" title={`You’re logged in as ${ownEmail}`}>
        Log out, then log in with {email} or create an account for it. Or ask for an invitation to {ownEmail}.
      </Notice>
      <ReturnsHere token={token} to={PAGES.logout.path} isAfterLogOut>
        Log out
      </ReturnsHere>
    </>
  );
}

function LogInFirst({ token }: { token: string }) {
  return (
    <>
      <Text tone="quiet">You already have an account. Log in the way you always do, and you’ll come back here.</Text>
      <ReturnsHere token={token} to={PAGES.loginV2.path}>
        Log in to join
      </ReturnsHere>
    </>
  );
}

type ReturnsHereProps = { token: string; to: string; isAfterLogOut?: boolean; children: ReactNode };

/** Leads away and, after logging in, back to this invitation. */
function ReturnsHere({ token, to, isAfterLogOut = false, children }: ReturnsHereProps) {
  const navigate = useNavigate();
  return (
    <ButtonRow>
      <Button
        onClick={() => {
          // Logging out clears local storage first (docs/product/specification.md section 4).
          if (isAfterLogOut) localStorage.clear();
          savePostLoginPath(`${PAGES.joinTeam.path}?${new URLSearchParams({ token })}`);
          void navigate(to);
        }}
      >
        {children}
      </Button>
    </ButtonRow>
  );
}

function NewAccount({ token }: { token: string }) {
  const openPractice = useOpenPractice();
  const form = useContractForm<typeof teamInvitationsApi.accept, { full_name: string; password: string }>(teamInvitationsApi.accept, {
    idPrefix: 'join',
    defaults: { full_name: '', password: '' },
    fixed: { token },
    checks: { full_name: (text) => (text.trim() === '' ? { ok: false, reason: 'Enter your full name' } : { ok: true, value: text }) },
    send: async (input) => {
      const { home_path: homePath } = await apiRequest(teamInvitationsApi.accept, input);
      await openPractice(homePath);
    },
  });
  return (
    <FormPanel form={form} submitLabel="Create account and join" busyLabel="Creating your account…">
      <FormField form={form} name="full_name" label="Full name" autoComplete="name" />
      <FormField
        form={form}
        name="password"
        label="Password"
        hint="At least 10 characters. Or leave it empty, and we’ll email you a link each time you log in."
        optional
        type="password"
        autoComplete="new-password"
      />
    </FormPanel>
  );
}

function NotUsable({ text }: { text: string }) {
  const navigate = useNavigate();
  return (
    <Page title="This invitation no longer works" maxWidth="form">
      <SectionCard>
        <StatusPanel state="warning" subHeading={text} onContinue={() => void navigate(PAGES.loginV2.path)} continueLabel="Log in" />
      </SectionCard>
    </Page>
  );
}
