/** The last step: who else will work here, and what admins and team members may do. */
import { settingsPath } from '@portal/contract/practice.ts';
import { practiceHomeLink } from '../../lib/practice-home.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { Grid, Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PointList } from '../../ui/point-list.tsx';
import { Heading } from '../../ui/text.tsx';
import { PracticeStepPage } from './practice-step-page.tsx';

const ADMINS = ['See and work on every client', 'Import and export clients', 'Change the practice’s details, connections and agent codes'];
const MEMBERS = ['See and work on the clients assigned to them only', 'Search and export those clients only'];

export function TeamScreen() {
  return (
    <PracticeStepPage step="team" title="Your team" lead="Your practice is set up and ready to use.">
      {({ company_id }) => (
        <Stack gap={24}>
          <Notice tone="info" title="You can’t invite colleagues yet">
            Until you can, only the people already in your practice can see your clients.
          </Notice>
          <Grid minColumn={240} gap={24}>
            <Stack gap={8}>
              <Heading level={2} size="part">
                Admins can
              </Heading>
              <PointList points={ADMINS} />
            </Stack>
            <Stack gap={8}>
              <Heading level={2} size="part">
                Team members can
              </Heading>
              <PointList points={MEMBERS} />
            </Stack>
          </Grid>
          <ButtonRow>
            <Button to={practiceHomeLink(company_id)}>Go to your practice</Button>
            <Button to={`${settingsPath('roles')}?company_id=${company_id}`} variant="text">
              See all permissions
            </Button>
          </ButtonRow>
        </Stack>
      )}
    </PracticeStepPage>
  );
}
