import Button from '@mui/material/Button';
import { isRouteErrorResponse, useRouteError } from 'react-router';
import { Page } from '../ui/page.tsx';
import { PORTAL_BASE } from '../lib/settings.ts';
import { NotFoundScreen } from './not-found-screen.tsx';

/** A screen that failed to draw or to load. After a new version the old screen's files are gone: loading again mends that. */
export function ErrorScreen() {
  const error = useRouteError();
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFoundScreen />;
  return (
    <Page
      title="This page has a fault"
      maxWidth="text"
      lead="It is ours, not yours. What you saved is safe, and nothing was filed or paid by this. Load the page again; if it stays, go to your home page."
      actions={undefined}
    >
      <div style={{ display: 'flex', gap: 12, flexWrap: 'wrap' }}>
        <Button onClick={() => location.reload()}>Load the page again</Button>
        <Button variant="outlined" href={`${PORTAL_BASE}/home`}>
          Go to your home page
        </Button>
        <Button variant="text" href={`${PORTAL_BASE}/contact`}>
          Contact us
        </Button>
      </div>
    </Page>
  );
}
