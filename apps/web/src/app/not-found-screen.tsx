import Button from '@mui/material/Button';
import { Link } from 'react-router';
import { Page } from '../ui/page.tsx';

/** A path that is no page of ours: what happened and the way out. */
export function NotFoundScreen() {
  return (
    <Page
      title="We cannot find this page"
      maxWidth="text"
      lead="The address may be mistyped, or the page is not part of this version of the portal. Nothing you saved is lost."
    >
      <Button component={Link} to="/home">
        Go to your home page
      </Button>
    </Page>
  );
}
