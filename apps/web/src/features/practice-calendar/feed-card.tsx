/** A feed of the user's deadlines for their own calendar app, at a secret URL that is shown only once. */
import { practiceDashboardApi } from '@portal/contract/practice-dashboard.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Radio } from '../../ui/choice.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { formatInstant } from '@portal/domain/clock.ts';
import { Row, Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import styles from './feed-card.module.css';

export function FeedCard({ companyId }: { companyId: string }) {
  const client = useQueryClient();
  const feedQuery = apiQuery(practiceDashboardApi.feed, { company_id: companyId });
  const feed = useQuery(feedQuery);
  const [covers, setCovers] = useState<'all' | 'assigned'>('all');
  const refresh = () => client.invalidateQueries({ queryKey: feedQuery.queryKey });
  const createFeed = useMutation({
    mutationFn: () => apiRequest(practiceDashboardApi.createFeed, { company_id: companyId, covers }),
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
    <SectionCard title="Add to your own calendar">
      <Stack>
        <Text measure>
          Subscribe to the deadlines and your open tasks in your calendar app with a private link. It shows how many are due each day, and
          never names a client.
        </Text>
        {createdAt !== null && (
          <Text measure>
            Your link was created on {formatInstant(createdAt)}
            {feed.data?.covers === 'assigned' && ' and covers the clients assigned to you'}. Creating a new link replaces it.
          </Text>
        )}
        {createFeed.data && (
          <Notice tone="success" title="Copy your link now. We won’t show it again." role="status">
            <code className={styles.link}>{createFeed.data.url}</code>
            <CopyButton text={createFeed.data.url} what="link" />
          </Notice>
        )}
        {error ? (
          <Notice tone="error" title="Nothing has changed" role="alert">
            {getErrorText(error)}
          </Notice>
        ) : null}
        <Stack as="fieldset" gap={4}>
          <legend>Deadlines for</legend>
          <Radio name="covers" label="All clients you can see" checked={covers === 'all'} onChange={() => setCovers('all')} />
          <Radio name="covers" label="Clients assigned to you" checked={covers === 'assigned'} onChange={() => setCovers('assigned')} />
        </Stack>
        <Row>
          <Button variant="outlined" size="small" isBusy={createFeed.isPending} onClick={() => createFeed.mutate()}>
            {createdAt === null ? 'Create private calendar link' : 'Create new link'}
          </Button>
          {createdAt !== null && (
            <Button variant="text" size="small" tone="error" isBusy={revoke.isPending} onClick={() => revoke.mutate()}>
              Delete link
            </Button>
          )}
        </Row>
      </Stack>
    </SectionCard>
  );
}
