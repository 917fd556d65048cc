/** Invites colleagues to the practice (docs/product/specification.md section 2.3). */
import { getSettingsPath, practiceApi } from '@portal/contract/practice.ts';
import { useQuery } from '@tanstack/react-query';
import { NoPracticeCard } from '../../components/practice/no-practice-card.tsx';
import { PracticeNav } from '../../components/practice/practice-nav.tsx';
import { InviteForm } from '../../components/team/invite-form.tsx';
import { apiQuery } from '../../lib/api.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { Button } from '../../ui/button.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';

export function AddTeamMemberScreen() {
  const { companyId, isSettled } = useCompanyId();
  const profile = useQuery({ ...apiQuery(practiceApi.accountantProfile, { company_id: companyId }), enabled: companyId !== '' });
  const team = `${getSettingsPath('team')}?${new URLSearchParams({ company_id: companyId })}`;
  if ((isSettled && companyId === '') || profile.error?.status === 404) return <NoPracticeCard title="Add a team member" />;
  return (
    <Page
      title="Add a team member"
      lead={profile.data && `They’ll work with you at ${profile.data.name}.`}
      maxWidth="text"
      before={<PracticeNav companyId={companyId} />}
    >
      <LoadState query={profile} skeleton={<CardSkeleton lines={6} />}>
        {({ role }) =>
          role === 'admin' ? (
            <SectionCard>
              <InviteForm
                companyId={companyId}
                otherActions={
                  <Button variant="text" to={team}>
                    See your team
                  </Button>
                }
              />
            </SectionCard>
          ) : (
            <Notice tone="info" title="Only admins can invite people">
              Ask an admin of your practice to invite your colleague.
            </Notice>
          )
        }
      </LoadState>
    </Page>
  );
}
