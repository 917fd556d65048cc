/** Our books: the trial balance with its check, and the postings behind it, newest first. */
import { operatorsApi } from '@portal/contract/operators.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type ApiError, apiRequest } from '../../lib/api.ts';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Page } from '../../ui/page.tsx';
import { PostingsCard } from './postings-card.tsx';
import { TrialBalanceCard } from './trial-balance-card.tsx';
import type { Ledger, Posting } from './operator-outputs.ts';

export function LedgerScreen() {
  const query = useInfiniteQuery<
    Ledger,
    ApiError,
    { ledger: Ledger | undefined; postings: Posting[] },
    readonly unknown[],
    number | undefined
  >({
    queryKey: [operatorsApi.ledger.path],
    queryFn: ({ pageParam, signal }) => apiRequest(operatorsApi.ledger, pageParam === undefined ? {} : { before: pageParam }, { signal }),
    initialPageParam: undefined,
    getNextPageParam: (page) => page.next_before ?? undefined,
    select: ({ pages }) => ({ ledger: pages[0], postings: pages.flatMap((page) => page.postings) }),
  });
  return (
    <Page title="Ledger" maxWidth="full">
      <LoadState query={query}>
        {({ ledger, postings }) =>
          ledger ? (
            <Stack gap={24}>
              <TrialBalanceCard ledger={ledger} />
              <PostingsCard
                postings={postings}
                accounts={ledger.accounts}
                isLoadingMore={query.isFetchingNextPage}
                loadMore={query.hasNextPage ? () => void query.fetchNextPage() : undefined}
              />
            </Stack>
          ) : null
        }
      </LoadState>
    </Page>
  );
}
