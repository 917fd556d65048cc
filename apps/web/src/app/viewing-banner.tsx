/** Shown on every page while an operator views the portal as someone else. */
import { viewingApi } from '@portal/contract/viewing.ts';
import { PAGES } from '@portal/contract/pages.ts';
import { formatInstant, toEpochMs } from '@portal/domain/clock.ts';
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useSession } from '../core/session.tsx';
import { apiRequest } from '../lib/api.ts';
import { getErrorText } from '../lib/error-text.ts';
import { PORTAL_BASE } from '../lib/settings.ts';
import { Button } from '../ui/button.tsx';
import styles from './shell.module.css';

/** The server's clock decides, so a browser's that is a little fast must not ask too early. */
const END_MARGIN_MS = 2_000;

/** Loads a new document, so that none of the other user's data remains in memory. */
const leave = (): void => location.replace(`${PORTAL_BASE}${PAGES.adminQueues.path}`);

export function ViewingBanner() {
  const { session } = useSession();
  const end = useMutation({
    mutationFn: () => apiRequest(viewingApi.end, {}),
    onSuccess: leave,
  });
  const viewing = session.status === 'signed_in' ? session.person.viewing : undefined;
  const until = viewing?.until;
  // The session is the operator's own again from then on, so the user's data must not stay on the screen.
  useEffect(() => {
    if (until === undefined) return undefined;
    const timer = setTimeout(leave, Math.max(0, toEpochMs(until) - Date.now()) + END_MARGIN_MS);
    return () => clearTimeout(timer);
  }, [until]);
  if (session.status !== 'signed_in' || viewing === undefined) return null;
  const { full_name, email } = session.person;
  return (
    <aside className={styles.viewing} aria-label="Viewing as a user">
      <span>
        You’re viewing the portal as {full_name} ({email}). You can’t change anything. Ends {formatInstant(viewing.until)}.
      </span>
      <Button size="small" variant="outlined" onClick={() => end.mutate()} isBusy={end.isPending}>
        Stop viewing
      </Button>
      {end.error && <span role="alert">{getErrorText(end.error)}</span>}
    </aside>
  );
}
