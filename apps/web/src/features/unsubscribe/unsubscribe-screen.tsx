/** The page that the unsubscribe link in an email opens. Only the button unsubscribes, because email clients open links automatically. */
import { staffNotificationsApi } from '@portal/contract/staff-notifications.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { useSearchParams } from '../../lib/search-params.ts';
import { Button } from '../../ui/button.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { StatusPanel } from '../../ui/status-panel.tsx';
import { Text } from '../../ui/text.tsx';

const NO_LINK = 'Open the link in the email again, or log in and choose your emails in Settings, Notifications.';

export function UnsubscribeScreen() {
  const token = useSearchParams()[0].get('link') ?? '';
  const link = useQuery({ ...apiQuery(staffNotificationsApi.unsubscribeLink, { token }), enabled: token !== '' });
  const end = useMutation({ mutationFn: () => apiRequest(staffNotificationsApi.unsubscribe, { token }) });
  if (token === '' || link.error?.status === 404) {
    return (
      <Page title="Unsubscribe" maxWidth="form">
        <StatusPanel state="error" heading="This link doesn’t work" subHeading={NO_LINK} />
      </Page>
    );
  }
  return (
    <Page title="Unsubscribe" maxWidth="form">
      <LoadState query={link} skeleton={<CardSkeleton lines={3} />}>
        {({ practice, label, is_on: isOn }) => (
          <SectionCard>
            <Stack align="start">
              {end.isSuccess || !isOn ? (
                <Text role="status">
                  You’ll no longer get “{label}” emails from {practice}. You can switch them on again in Settings, Notifications.
                </Text>
              ) : (
                <>
                  <Text>
                    Stop getting “{label}” emails from {practice}? You’ll still see these notifications in your account.
                  </Text>
                  {end.error !== null && (
                    <Notice tone="error" title="You’re still subscribed" role="alert">
                      {getErrorText(end.error)}
                    </Notice>
                  )}
                  <Button isBusy={end.isPending} onClick={() => end.mutate()}>
                    Unsubscribe
                  </Button>
                </>
              )}
            </Stack>
          </SectionCard>
        )}
      </LoadState>
    </Page>
  );
}
