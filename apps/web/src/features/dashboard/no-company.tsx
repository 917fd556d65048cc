import { PAGES } from '@portal/contract/pages.ts';
import Button from '@mui/material/Button';
import { Link } from 'react-router';
import { Page } from '../../ui/page.tsx';

/** Opened without a company, by a person or browser that has none yet. */
export function NoCompany() {
  return (
    <Page
      title="Add your company first"
      maxWidth="text"
      lead="We need to know whose VAT this is about. It takes about five minutes, and you can stop and come back."
    >
      <Button component={Link} to={PAGES.stepCompany.path}>
        Add your company
      </Button>
    </Page>
  );
}
