/** Shown on every page while an operator views the portal as someone else. */
import { viewingApi } from '@portal/contract/viewing.ts';
import { PAGES } from '@portal/contract/pages.ts';
import { formatInstant } from '@portal/domain/clock.ts';
import { useMutation } from '@tanstack/react-query';
import { useSession } from '../core/session.tsx';
import { apiRequest } from '../lib/api.ts';
import { getErrorText } from '../lib/error-text.ts';
import { PORTAL_BASE } from '../lib/settings.ts';
import { Button } from '../ui/button.tsx';
import styles from './shell.module.css';

export function ViewingBanner() {
  const { session } = useSession();
  const end = useMutation({
    mutationFn: () => apiRequest(viewingApi.end, {}),
    // Loads a new document, so that none of the other user's data remains in memory.
    onSuccess: () => location.replace(`${PORTAL_BASE}${PAGES.adminQueues.path}`),
  });
  if (session.status !== 'signed_in' || session.person.viewing === undefined) return null;
  const { full_name, email, viewing } = session.person;
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
