import { nightlyRefreshApi } from '@portal/contract/nightly-refresh.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { InstantText } from '../../components/formats/date-text.tsx';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { LineSkeleton } from '../../ui/skeletons.tsx';
import { Text } from '../../ui/text.tsx';

/** Whether all authorised clients are refreshed every night. It can't be switched on until HMRC's response is recorded. */
export function NightlyRefreshCard({ companyId, isAdmin }: { companyId: string; isAdmin: boolean }) {
  const queryClient = useQueryClient();
  const query = useQuery(apiQuery(nightlyRefreshApi.get, { company_id: companyId }));
  const save = useMutation({
    mutationFn: (isOn: boolean) => apiRequest(nightlyRefreshApi.save, { company_id: companyId, is_on: isOn }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [nightlyRefreshApi.get.path] }),
  });
  return (
    <SectionCard title="Nightly refresh">
      <LoadState query={query} skeleton={<LineSkeleton width="80%" height={20} />}>
        {({ is_on: isOn, is_confirmed: isConfirmed, last_started_at: lastAt }) => (
          <Stack align="start">
            <Text role="status">
              {describeState(isOn, isConfirmed)}
              {lastAt !== null && (
                <>
                  {' '}
                  Last started: <InstantText at={lastAt} />.
                </>
              )}
            </Text>
            {isAdmin && (isOn || isConfirmed) && (
              <Button size="small" variant="outlined" disabled={save.isPending} onClick={() => save.mutate(!isOn)}>
                {isOn ? 'Turn off' : 'Turn on'}
              </Button>
            )}
            {save.error !== null && (
              <Text role="alert" tone="error">
                {getErrorText(save.error)}
              </Text>
            )}
          </Stack>
        )}
      </LoadState>
    </SectionCard>
  );
}

function describeState(isOn: boolean, isConfirmed: boolean): string {
  if (!isConfirmed) {
    const pause = isOn ? 'On, but paused.' : 'Off.';
    return `${pause} We’re waiting for HMRC to confirm which details an automatic refresh must send. Until then, refresh manually.`;
  }
  return isOn
    ? 'On. Between 2am and 5am, we refresh VAT and Self Assessment for every client who has authorised you.'
    : 'Off. Turn it on to refresh VAT and Self Assessment between 2am and 5am for every client who has authorised you.';
}
