/** Our books: the trial balance with its check, and the postings behind it, newest first, filtered by company, account, day and text. */
import { LEDGER_EXPORT_PATH, operatorsApi } from '@portal/contract/operators.ts';
import { LEDGER_ACCOUNTS, type LedgerAccount } from '@portal/domain/ledger/ledger.ts';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { type ApiError, apiRequest } from '../../lib/api.ts';
import { PORTAL_BASE } from '../../lib/settings.ts';
import { FilterPill } from '../../ui/filter-pill.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Page } from '../../ui/page.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { FilterBar } from './filter-bar.tsx';
import { FilterField } from './filter-field.tsx';
import { PostingsCard } from './postings-card.tsx';
import { TrialBalanceCard } from './trial-balance-card.tsx';
import type { Ledger, Posting } from './operator-outputs.ts';
import { useUrlFilters } from '../../lib/use-url-filters.ts';

const FILTERS = ['company_id', 'account', 'from', 'to', 'q'] as const;
const ACCOUNTS = Object.entries(LEDGER_ACCOUNTS).map(([value, label]) => ({ value, label }));

type Pages = { ledger: Ledger | undefined; postings: Posting[] };

export function LedgerScreen() {
  const { filters, change, clear } = useUrlFilters(FILTERS);
  const { account, ...others } = filters;
  const input = { ...others, ...(account !== undefined && account in LEDGER_ACCOUNTS ? { account: account as LedgerAccount } : {}) };
  const query = useInfiniteQuery<Ledger, ApiError, Pages, readonly unknown[], number | undefined>({
    queryKey: [operatorsApi.ledger.path, input],
    queryFn: ({ pageParam, signal }) =>
      apiRequest(operatorsApi.ledger, { ...input, ...(pageParam === undefined ? {} : { before: pageParam }) }, { signal }),
    initialPageParam: undefined,
    getNextPageParam: (page) => page.next_before ?? undefined,
    select: ({ pages }) => ({ ledger: pages[0], postings: pages.flatMap((page) => page.postings) }),
    placeholderData: keepPreviousData,
  });
  return (
    <Page
      title="Ledger"
      maxWidth="full"
      actions={
        <TextLink href={`${PORTAL_BASE}${LEDGER_EXPORT_PATH}?${new URLSearchParams(input)}`} download>
          Download CSV
        </TextLink>
      }
    >
      <Stack>
        <FilterBar filters={filters} onClear={clear}>
          <FilterField
            id="ledger-q"
            label="Search"
            placeholder="Company or description"
            value={filters.q}
            onChange={(q) => change({ q })}
          />
          <FilterField id="ledger-from" label="From" type="date" value={filters.from} onChange={(from) => change({ from })} />
          <FilterField id="ledger-to" label="To" type="date" value={filters.to} onChange={(to) => change({ to })} />
          <FilterPill label="Account" value={account} options={ACCOUNTS} onSelect={(value) => change({ account: value })} />
        </FilterBar>
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
      </Stack>
    </Page>
  );
}
