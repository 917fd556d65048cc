/** Shows who has access to a trader's company, who has been invited, and what each role can do. Only owners can change this. */
import { companyPeopleApi, type CompanyInvitation, type CompanyPerson } from '@portal/contract/company-people.ts';
import { PAGES } from '@portal/contract/pages.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { useCompanyRight } from '../../lib/use-company-right.ts';
import { Button } from '../../ui/button.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { Text } from '../../ui/text.tsx';
import { CompanyRightsCard } from './company-rights-card.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { PeopleTable } from './people-table.tsx';
import { PersonDialog } from './person-dialog.tsx';
import { usePeopleAction } from './use-people-action.ts';

type OpenDialog = { of: 'invite' } | { of: 'person'; person: CompanyPerson } | { of: 'leave' };

export function CompanyPeopleScreen() {
  const { companyId, isSettled } = useCompanyId();
  const query = useQuery({ ...apiQuery(companyPeopleApi.list, { company_id: companyId }), enabled: isSettled && companyId !== '' });
  const isOwner = useCompanyRight(companyId, 'company.people') === true;
  const [dialog, setDialog] = useState<OpenDialog>();
  const close = () => setDialog(undefined);
  return (
    <Page title="People" maxWidth="wide" actions={isOwner && <Button onClick={() => setDialog({ of: 'invite' })}>Invite someone</Button>}>
      <Stack gap={24}>
        <LoadState query={query} skeleton={<CardSkeleton lines={4} />}>
          {({ people, invitations }) => (
            <Stack gap={24}>
              <SectionCard title="Who has access">
                <PeopleTable
                  people={people}
                  onManage={isOwner ? (person) => setDialog({ of: 'person', person }) : undefined}
                  leave={canLeave(people) ? () => setDialog({ of: 'leave' }) : undefined}
                />
              </SectionCard>
              {invitations.length > 0 && <InvitationsCard companyId={companyId} invitations={invitations} />}
            </Stack>
          )}
        </LoadState>
        <CompanyRightsCard />
      </Stack>
      {dialog?.of === 'invite' && <InviteDialog companyId={companyId} onClose={close} />}
      {dialog?.of === 'person' && <PersonDialog companyId={companyId} person={dialog.person} onClose={close} />}
      {dialog?.of === 'leave' && <LeaveDialog companyId={companyId} onClose={close} />}
    </Page>
  );
}

/** Returns whether the user can leave. The last owner can't, because a company needs one. */
function canLeave(people: readonly CompanyPerson[]): boolean {
  return people.some(({ role, is_you: isYou }) => role === 'owner' && !isYou);
}

function InvitationsCard({ companyId, invitations }: { companyId: string; invitations: readonly CompanyInvitation[] }) {
  const actionMutation = usePeopleAction();
  return (
    <SectionCard title="Invited">
      <Stack gap={16}>
        {actionMutation.error && (
          <Notice tone="error" title="Nothing has changed" role="alert">
            {getErrorText(actionMutation.error)}
          </Notice>
        )}
        <PeopleTable
          invitations={invitations}
          isBusy={actionMutation.isPending}
          resend={({ invitation_id, email }) =>
            actionMutation.mutate({
              send: () => apiRequest(companyPeopleApi.resend, { company_id: companyId, invitation_id }),
              done: `Invitation to ${email} sent again`,
            })
          }
          revoke={({ invitation_id, email }) =>
            actionMutation.mutate({
              send: () => apiRequest(companyPeopleApi.revoke, { company_id: companyId, invitation_id }),
              done: `Invitation to ${email} revoked`,
            })
          }
        />
      </Stack>
    </SectionCard>
  );
}

function LeaveDialog({ companyId, onClose }: { companyId: string; onClose: () => void }) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const actionMutation = usePeopleAction(() => {
    queryClient.clear();
    void navigate(PAGES.home.path);
  });
  return (
    <ConfirmDialog
      heading="Leave this company"
      mutation={actionMutation}
      onConfirm={() =>
        actionMutation.mutate({
          send: () => apiRequest(companyPeopleApi.leave, { company_id: companyId, confirmed: true }),
          done: 'You’ve left the company',
        })
      }
      onClose={onClose}
      confirmLabel="Leave"
      errorTitle="You still have access"
    >
      <Text>
        You won’t be able to see this company’s returns and refunds any more. Its owners will get an email. Only an owner can invite you
        again.
      </Text>
    </ConfirmDialog>
  );
}
