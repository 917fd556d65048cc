/** Invites colleagues to the practice (docs/product/specification.md section 2.3). */
import { getSettingsPath } from '@portal/contract/practice.ts';
import { PracticePage } from '../../components/practice/practice-page.tsx';
import { InviteForm } from '../../components/team/invite-form.tsx';
import { useCompanyId } from '../../lib/company-id.ts';
import { usePracticeProfile } from '../../lib/practice-profile.ts';
import { Button } from '../../ui/button.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';

export function AddTeamMemberScreen() {
  const { companyId } = useCompanyId();
  const profile = usePracticeProfile(companyId);
  const team = `${getSettingsPath('team')}?${new URLSearchParams({ company_id: companyId })}`;
  return (
    <PracticePage title="Add a team member" lead={profile.data && `They’ll work with you at ${profile.data.name}.`} maxWidth="text">
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
    </PracticePage>
  );
}
