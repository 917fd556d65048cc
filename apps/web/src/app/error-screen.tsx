import { useEffect } from 'react';
import { useOnline } from '../lib/online.ts';
import { Page } from '../ui/page.tsx';
import { Button } from '../ui/button.tsx';
import { ButtonRow } from '../ui/button-row.tsx';
import { PORTAL_BASE } from '../lib/settings.ts';

/** The error messages of Chromium, Firefox and Safari for a failed dynamic import, and of Vite for a style sheet. */
const LOAD_FAILURE =
  /failed to fetch dynamically imported module|error loading dynamically imported module|importing a module script failed|unable to preload css/i;

/** Returns whether a screen's file failed to load. The cause is then the network or a newer release, not the screen. */
const isLoadFailure = (error: unknown): boolean => error instanceof Error && LOAD_FAILURE.test(error.message);

/** Shown in place of a screen that failed to render or load. */
export function ErrorScreen({ error }: { error: unknown }) {
  const isOnline = useOnline();
  if (!isLoadFailure(error)) return <Fault />;
  return isOnline ? <NotLoaded /> : <Offline />;
}

function Fault() {
  return (
    <Page
      title="Sorry, there’s a problem with this page"
      maxWidth="text"
      lead="Your saved work is safe, and so is everything you’ve filed or accepted. Reload the page. If that doesn’t help, go to your home page or contact us."
    >
      <ErrorActions />
    </Page>
  );
}

/** Either the connection was lost, or a new version has replaced the old version's files. Reloading fixes both. */
function NotLoaded() {
  return (
    <Page
      title="We couldn’t load this page"
      maxWidth="text"
      lead="Your connection dropped, or we’ve released an update. Your saved work is safe, and so is everything you’ve filed or accepted. Reload to continue."
    >
      <ErrorActions />
    </Page>
  );
}

function Offline() {
  // Browsers cache a failed module until the page is closed, so only a reload requests it again.
  useEffect(() => {
    const reloadPage = (): void => location.reload();
    addEventListener('online', reloadPage);
    return () => removeEventListener('online', reloadPage);
  }, []);
  return (
    <Page
      title="You’re offline"
      maxWidth="text"
      lead="This page will open when you’re back online. Your saved work is safe, and so is everything you’ve filed or accepted."
    >
      <Button variant="outlined" onClick={() => history.back()}>
        Go back
      </Button>
    </Page>
  );
}

function ErrorActions() {
  return (
    <ButtonRow>
      <Button onClick={() => location.reload()}>Reload this page</Button>
      <Button href={`${PORTAL_BASE}/home`} variant="outlined">
        Go to your home page
      </Button>
      <Button href={`${PORTAL_BASE}/contact`} variant="text">
        Contact us
      </Button>
    </ButtonRow>
  );
}
