import { PAGES } from '@portal/contract/pages.ts';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Link } from 'react-router';
import { Page } from './page.tsx';
import { SectionCard } from './section-card.tsx';

/** Shown when an OpenTax page is opened without a practice, or for a company that is not a practice of this person. */
export function NoPracticeCard({ title }: { title: string }) {
  return (
    <Page title={title} maxWidth="text">
      <SectionCard title="This is no practice of yours">
        <Typography sx={{ mb: 2 }}>Choose one of your companies, or set up a practice on OpenTax.</Typography>
        <Button component={Link} to={PAGES.company.path} variant="outlined">
          Your companies
        </Button>
      </SectionCard>
    </Page>
  );
}
