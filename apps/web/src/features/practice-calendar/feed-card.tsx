/** Feeds the person's deadlines to their own calendar app through a secret URL, which is shown once. */
import { practiceDashboardApi } from '@portal/contract/practice-dashboard.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { formatInstant } from '@portal/domain/clock.ts';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';

export function FeedCard({ companyId }: { companyId: string }) {
  const client = useQueryClient();
  const feedQuery = apiQuery(practiceDashboardApi.feed, { company_id: companyId });
  const feed = useQuery(feedQuery);
  const refresh = () => client.invalidateQueries({ queryKey: feedQuery.queryKey });
  const createFeed = useMutation({
    mutationFn: () => apiRequest(practiceDashboardApi.createFeed, { company_id: companyId }),
    onSuccess: refresh,
  });
  const revoke = useMutation({
    mutationFn: () => apiRequest(practiceDashboardApi.revokeFeed, { company_id: companyId }),
    onSuccess: () => {
      createFeed.reset();
      return refresh();
    },
  });
  const createdAt = feed.data?.created_at ?? null;
  const error = createFeed.error ?? revoke.error;
  return (
    <SectionCard title="In your own calendar">
      <Typography sx={{ mb: 2, maxWidth: '68ch' }}>
        Your calendar program can read these deadlines from a secret address. It shows how many are due on which day and names no client.
        {createdAt === null ? '' : ` You have one since ${formatInstant(createdAt)}; a new one makes it stop working.`}
      </Typography>
      {createFeed.data && (
        <Box sx={{ mb: 2 }}>
          <Notice tone="success" title="Your address, shown this once" role="status">
            <Box component="code" sx={{ display: 'block', overflowWrap: 'anywhere', mb: 1 }}>
              {createFeed.data.url}
            </Box>
            <CopyButton text={createFeed.data.url} what="address" />
          </Notice>
        </Box>
      )}
      {error ? (
        <Box sx={{ mb: 2 }}>
          <Notice tone="error" title="Nothing was changed" role="alert">
            {errorText(error)}
          </Notice>
        </Box>
      ) : null}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5 }}>
        <Button variant="outlined" size="small" onClick={() => createFeed.mutate()} loading={createFeed.isPending}>
          {createdAt === null ? 'Make a secret address' : 'Make a new address'}
        </Button>
        {createdAt !== null && (
          <Button variant="text" size="small" color="error" onClick={() => revoke.mutate()} loading={revoke.isPending}>
            Stop it working
          </Button>
        )}
      </Box>
    </SectionCard>
  );
}
