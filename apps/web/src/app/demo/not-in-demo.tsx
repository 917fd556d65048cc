import Button from '@mui/material/Button';
import { Link } from 'react-router';
import { Page } from '../../ui/page.tsx';

/** A link out of the demo: steps and menus belong to a real account. */
export function NotInDemo({ home }: { home: string }) {
  return (
    <Page
      title="This part needs your own account"
      maxWidth="text"
      lead="The demo shows the dashboard, a VAT return and the advance. Sign up to connect your own VAT account, books and bank."
    >
      <Button component={Link} to={home}>
        Back to the demo
      </Button>
    </Page>
  );
}
