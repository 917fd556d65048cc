/** The last step: invites colleagues, and explains what admins and team members can do. */
import { getSettingsPath } from '@portal/contract/practice.ts';
import { InviteForm } from '../../components/team/invite-form.tsx';
import { getPracticeHomeLink } from '../../lib/practice-home.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { Grid, Stack } from '../../ui/layout.tsx';
import { PointList } from '../../ui/point-list.tsx';
import { Heading } from '../../ui/text.tsx';
import { PracticeStepPage } from './practice-step-page.tsx';

const ADMIN_RIGHTS = [
  'See and work on every client',
  'Import, assign and export clients',
  'Change the practice’s details and connections',
  'Invite people and change their roles',
];
const MEMBER_RIGHTS = ['See and work only on the clients assigned to them', 'Search those clients, and export them if you allow it'];

export function TeamScreen() {
  return (
    <PracticeStepPage step="team" title="Your team" lead="Invite the people you work with. You can also do this later.">
      {({ company_id }) => (
        <Stack gap={24}>
          <InviteForm companyId={company_id} />
          <Grid minColumn={240} gap={24}>
            <Stack gap={8}>
              <Heading level={2} size="part">
                Admins can
              </Heading>
              <PointList points={ADMIN_RIGHTS} />
            </Stack>
            <Stack gap={8}>
              <Heading level={2} size="part">
                Team members can
              </Heading>
              <PointList points={MEMBER_RIGHTS} />
            </Stack>
          </Grid>
          <ButtonRow>
            <Button to={getPracticeHomeLink(company_id)} variant="outlined">
              Go to your practice
            </Button>
            <Button to={`${getSettingsPath('roles')}?company_id=${company_id}`} variant="text">
              See all permissions
            </Button>
          </ButtonRow>
        </Stack>
      )}
    </PracticeStepPage>
  );
}
