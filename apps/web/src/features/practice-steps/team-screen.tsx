/** The last step: who else will work here, and what admins and team members may do. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { settingsPath } from '@portal/contract/practice.ts';
import { Link } from 'react-router';
import { practiceHomeLink } from '../../lib/practice-home.ts';
import { Notice } from '../../ui/notice.tsx';
import { PointList } from '../../ui/point-list.tsx';
import { PracticeStepPage } from './practice-step-page.tsx';

const ADMINS = ['See and work on every client', 'Import and export clients', 'Change the practice, its connections and its codes'];
const MEMBERS = ['See and work on the clients assigned to them, and no others', 'Count, search and export only those'];

export function TeamScreen() {
  return (
    <PracticeStepPage step="team" title="Your team" lead="The practice is set up. You can begin by yourself.">
      {({ company_id }) => (
        <>
          <Notice tone="info" title="Colleagues cannot be invited in this version">
            Until they can, the practice has the people it has now. Nobody else sees your clients.
          </Notice>
          <Box sx={{ display: 'grid', gap: 3, mt: 3, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
            <div>
              <Typography component="h2" variant="h3" sx={{ mb: 1 }}>
                An admin may
              </Typography>
              <PointList points={ADMINS} />
            </div>
            <div>
              <Typography component="h2" variant="h3" sx={{ mb: 1 }}>
                A team member may
              </Typography>
              <PointList points={MEMBERS} />
            </div>
          </Box>
          <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5, mt: 3 }}>
            <Button component={Link} to={practiceHomeLink(company_id)}>
              Go to your practice
            </Button>
            <Button component={Link} to={`${settingsPath('roles')}?company_id=${company_id}`} variant="text">
              See all rights
            </Button>
          </Box>
        </>
      )}
    </PracticeStepPage>
  );
}
