import { PAGES } from '@portal/contract/pages.ts';
import { practiceStepPath } from '@portal/contract/practice.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { Link } from 'react-router';
import { Page } from '../../ui/page.tsx';

/** For people who belong to no practice, or who opened the settings of one that isn't theirs. */
export function NoPractice() {
  return (
    <Page
      title="This is no practice of yours"
      maxWidth="text"
      lead="These settings belong to an accounting practice. Go to your own pages, or set a practice up: it takes about five minutes, and you can stop and come back."
    >
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5 }}>
        <Button component={Link} to={PAGES.home.path}>
          Go to my pages
        </Button>
        <Button component={Link} to={practiceStepPath('practice')} variant="outlined">
          Set up a practice
        </Button>
      </Box>
    </Page>
  );
}
