/** Logs out: clears this browser's storage first, then ends the session (docs/product/specification.md section 4). */
import { identityApi } from '@portal/contract/identity.ts';
import { PAGES } from '@portal/contract/pages.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { useSession } from '../../core/session.tsx';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { notifyOtherTabsOfLogOut } from '../../lib/log-out-broadcast.ts';
import { Page } from '../../ui/page.tsx';
import { StatusPanel } from '../../ui/status-panel.tsx';

export function LogoutScreen() {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { check } = useSession();
  const { mutate, error } = useMutation({
    mutationFn: async () => {
      localStorage.clear();
      sessionStorage.clear();
      await apiRequest(identityApi.logout, {});
      notifyOtherTabsOfLogOut();
      await check();
    },
    onSuccess: async () => {
      await navigate(PAGES.login.path, { replace: true });
      // Don't clear the queries earlier: a signed-in user's header would refetch the data.
      queryClient.clear();
    },
  });
  const hasStarted = useRef(false);
  useEffect(() => {
    if (hasStarted.current) return;
    hasStarted.current = true;
    mutate();
  }, [mutate]);
  return (
    <Page title="Log out" maxWidth="form">
      {error === null ? (
        <StatusPanel state="loading" heading="Logging you out" />
      ) : (
        <StatusPanel
          state="error"
          heading="You may still be logged in"
          subHeading={getErrorText(error)}
          onContinue={() => mutate()}
          continueLabel="Log out again"
        />
      )}
    </Page>
  );
}
