/** The page that an invitation to a practice's team or a trader's company opens. Only the button uses up the link. */
import { PAGES } from '@portal/contract/pages.ts';
import { teamInvitationsApi } from '@portal/contract/team-invitations.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useSession } from '../../core/session.tsx';
import { apiRequest } from '../../lib/api.ts';
import { describeError } from '../../lib/error-text.ts';
import { ApiError } from '../../lib/problem-to-error.ts';
import { Stack } from '../../ui/layout.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { StatusPanel } from '../../ui/status-panel.tsx';
import { Text } from '../../ui/text.tsx';
import { AcceptInvitation } from './accept-invitation.tsx';
import styles from './email-address.module.css';
import { useUrlSecret } from './use-url-secret.ts';

const ROLE_TEXTS: Readonly<Record<EndpointOutput<typeof teamInvitationsApi.preview>['role'], string>> = {
  admin: 'an admin',
  team_member: 'a team member',
  owner: 'an owner',
  bookkeeper: 'a bookkeeper',
  accountant: 'its accountant',
  viewer: 'a viewer',
};

export function JoinTeamScreen() {
  const token = useUrlSecret('token');
  const { session } = useSession();
  const [openInvitation, setOpened] = useState<OpenInvitationProps>();
  const invitationQuery = useQuery({
    queryKey: [teamInvitationsApi.preview.path, token],
    queryFn: ({ signal }) => apiRequest(teamInvitationsApi.preview, { token }, { signal }),
    enabled: token !== '' && openInvitation === undefined,
  });
  // Keep the first state: joining clears loaded data and starts a session, and the page that used the link must not report it as invalid.
  if (openInvitation === undefined && invitationQuery.data !== undefined && session.status !== 'checking') {
    const ownEmail = session.status === 'signed_in' ? (session.person.email ?? '') : undefined;
    setOpened({ token, invitation: invitationQuery.data, ownEmail });
  }
  if (openInvitation !== undefined) return <OpenInvitation {...openInvitation} />;
  if (token === '') return <NotUsable text="This link is incomplete. Open it from the email again." />;
  if (invitationQuery.error instanceof ApiError && invitationQuery.error.status === 400) {
    return (
      <NotUsable text="This invitation has expired, was revoked or has already been used. Ask the person who invited you for a new one." />
    );
  }
  if (invitationQuery.error !== null) {
    const { heading, text } = describeError(invitationQuery.error);
    return (
      <Page title="Join a team" maxWidth="form">
        <StatusPanel
          state="error"
          heading={heading}
          subHeading={text}
          onContinue={() => void invitationQuery.refetch()}
          continueLabel="Try again"
        />
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
  /** The email address of the account that is logged in, if any. */
  ownEmail: string | undefined;
};

function OpenInvitation({ token, invitation, ownEmail }: OpenInvitationProps) {
  const { company, email, role, invited_by: inviter } = invitation;
  return (
    <Page title={`Join ${company}`} maxWidth="form">
      <SectionCard>
        <Stack gap={24}>
          <Text>
            {inviter} has invited you to work with {company} as {ROLE_TEXTS[role]}.
          </Text>
          <div>
            <Text>The invitation is for:</Text>
            <Text size="large" weight="medium" className={styles.address}>
              {email}
            </Text>
          </div>
          <AcceptInvitation
            token={token}
            page={PAGES.joinTeam.path}
            accept={teamInvitationsApi.accept}
            acceptLabel={`Join ${company}`}
            email={email}
            hasAccount={invitation.has_account}
            ownEmail={ownEmail}
          />
        </Stack>
      </SectionCard>
    </Page>
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
