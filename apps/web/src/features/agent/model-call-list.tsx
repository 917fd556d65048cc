/** For admins: what was sent to the language model, its response and the outcome. */
import { languageModelApi, type LanguageModelCall } from '@portal/contract/language-model.ts';
import { CALLS_RETENTION_DAYS } from '@portal/domain/language-model/rewording-request.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { InstantText } from '../../components/formats/date-text.tsx';
import { apiRequest, type ApiError } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Heading, Text } from '../../ui/text.tsx';
import styles from './agent.module.css';

const requestCalls = (companyId: string, cursor: string | undefined, signal: AbortSignal) =>
  apiRequest(languageModelApi.calls, { company_id: companyId, ...(cursor === undefined ? {} : { cursor }) }, { signal });
type CallPage = Awaited<ReturnType<typeof requestCalls>>;

export function ModelCallList({ companyId }: { companyId: string }) {
  const query = useInfiniteQuery<CallPage, ApiError, { pages: CallPage[] }, readonly unknown[], string | undefined>({
    queryKey: [languageModelApi.calls.path, { company_id: companyId }, 'pages'],
    queryFn: ({ pageParam, signal }) => requestCalls(companyId, pageParam, signal),
    initialPageParam: undefined,
    getNextPageParam: ({ next_cursor: next }) => next ?? undefined,
  });
  return (
    <SectionCard title="What has been sent to the model" source={`Kept for ${CALLS_RETENTION_DAYS} days`}>
      <LoadState query={query} skeleton={<CardSkeleton lines={4} />}>
        {({ pages }) => {
          const calls = pages.flatMap((page) => page.calls);
          return (
            <Stack gap={12}>
              {calls.length === 0 && <Text tone="quiet">Nothing has been sent.</Text>}
              <Stack as="ul" gap={12} aria-label="What has been sent to the model">
                {calls.map((call) => (
                  <CallCard key={call.call_id} call={call} />
                ))}
              </Stack>
              {query.hasNextPage && (
                <Button variant="outlined" onClick={() => void query.fetchNextPage()} isBusy={query.isFetchingNextPage}>
                  Show more
                </Button>
              )}
            </Stack>
          );
        }}
      </LoadState>
    </SectionCard>
  );
}

const STATES = {
  sent: { label: 'No response recorded', icon: 'warning', tone: 'warning' },
  offered: { label: 'Suggested, not yet used or declined', icon: 'info', tone: 'secondary' },
  used: { label: 'Used', icon: 'checkCircle', tone: 'success' },
  declined: { label: 'Original kept', icon: 'info', tone: 'secondary' },
  dropped: { label: 'Dropped', icon: 'warning', tone: 'warning' },
  failed: { label: 'Failed', icon: 'errorCircle', tone: 'error' },
} as const;

function CallCard({ call }: { call: LanguageModelCall }) {
  const { title, client, asked_by: askedBy, asked_at: askedAt, model, host, state, problems } = call;
  return (
    <Stack as="li" gap={8} className={styles.card}>
      <Row gap={8}>
        <Heading level={3} size="part">
          {title ?? 'Deleted draft'}
        </Heading>
        <StateChip {...STATES[state]} />
      </Row>
      <Text size="small">
        {client === null ? 'Deleted client' : client.name}. Sent by {askedBy}, <InstantText at={askedAt} />, to {model} at {host}.
      </Text>
      {problems.map(({ problem, text, words }) => (
        <Text key={problem} size="small">
          {text}
          {words.length > 0 && ` ${words.map((word) => `“${word}”`).join(', ')}`}
        </Text>
      ))}
      <details className={styles.exact}>
        <summary>Text sent</summary>
        <p>{call.sent_text}</p>
      </details>
      {call.received_text !== null && (
        <details className={styles.exact}>
          <summary>Text returned by the model</summary>
          <p>{call.received_text}</p>
        </details>
      )}
    </Stack>
  );
}
