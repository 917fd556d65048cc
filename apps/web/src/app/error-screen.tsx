import { useEffect } from 'react';
import { isRouteErrorResponse, useRouteError } from 'react-router';
import { isLoadFailure } from '../lib/load-failure.ts';
import { useOnline } from '../lib/online.ts';
import { Page } from '../ui/page.tsx';
import { getButtonClass, PlainButton } from '../ui/plain-button.tsx';
import { PORTAL_BASE } from '../lib/settings.ts';
import { NotFoundScreen } from './not-found-screen.tsx';

/** For a screen that failed to render or to load. */
export function ErrorScreen() {
  const error = useRouteError();
  const isOnline = useOnline();
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFoundScreen />;
  if (!isLoadFailure(error)) return <Fault />;
  return isOnline ? <NotLoaded /> : <Offline />;
}

function Fault() {
  return (
    <Page
      title="This page has a fault"
      maxWidth="text"
      lead="It is ours, not yours. What you saved is safe, and nothing was filed or paid by this. Load the page again; if it stays, go to your home page."
    >
      <ErrorActions />
    </Page>
  );
}

/** Either the connection was lost, or a new version has replaced the old one's files. Reloading fixes both. */
function NotLoaded() {
  return (
    <Page
      title="This page did not load"
      maxWidth="text"
      lead="Your connection broke off, or the portal was renewed meanwhile. What you saved is safe, and nothing was filed or paid by this. Load the page again."
    >
      <ErrorActions />
    </Page>
  );
}

function Offline() {
  // Browsers cache a failed module for the lifetime of the page: only a reload requests it again.
  useEffect(() => {
    const reload = (): void => location.reload();
    addEventListener('online', reload);
    return () => removeEventListener('online', reload);
  }, []);
  return (
    <Page
      title="You are offline"
      maxWidth="text"
      lead="This page is not on your device yet. It opens by itself once you are connected again. What you saved is safe, and nothing was filed or paid by this."
    >
      <PlainButton variant="outlined" onClick={() => history.back()}>
        Go back
      </PlainButton>
    </Page>
  );
}

function ErrorActions() {
  return (
    <div className="p-row p-ways">
      <PlainButton onClick={() => location.reload()}>Load the page again</PlainButton>
      <a className={getButtonClass({ variant: 'outlined' })} href={`${PORTAL_BASE}/home`}>
        Go to your home page
      </a>
      <a className={getButtonClass({ variant: 'text' })} href={`${PORTAL_BASE}/contact`}>
        Contact us
      </a>
    </div>
  );
}
