/** The audit trail of all companies, filtered by company, person, action and day, with an export of the matches. */
import { AUDIT_EXPORT_PATH, operationsApi } from '@portal/contract/operations.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { apiRequest, type ApiError } from '../../lib/api.ts';
import { PORTAL_BASE } from '../../lib/settings.ts';
import { Button } from '../../ui/button.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { AuditTable } from './audit-table.tsx';
import { FilterBar } from './filter-bar.tsx';
import { FilterField } from './filter-field.tsx';
import { useUrlFilters } from '../../lib/use-url-filters.ts';

const FILTERS = ['company_id', 'person', 'action', 'subject', 'from', 'to'] as const;

type AuditPage = EndpointOutput<typeof operationsApi.audit>;

export function AuditScreen() {
  const { filters, change, clear } = useUrlFilters(FILTERS);
  const query = useInfiniteQuery<AuditPage, ApiError, AuditPage['entries'], readonly unknown[], string | undefined>({
    queryKey: [operationsApi.audit.path, filters],
    queryFn: ({ pageParam, signal }) =>
      apiRequest(operationsApi.audit, { ...filters, ...(pageParam === undefined ? {} : { cursor: pageParam }) }, { signal }),
    initialPageParam: undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    select: ({ pages }) => pages.flatMap((page) => page.entries),
    placeholderData: keepPreviousData,
  });
  const exportHref = `${PORTAL_BASE}${AUDIT_EXPORT_PATH}?${new URLSearchParams(filters)}`;
  return (
    <Page
      title="Audit"
      maxWidth="full"
      actions={
        <TextLink href={exportHref} download>
          Download CSV
        </TextLink>
      }
    >
      <Stack>
        <FilterBar filters={filters} onClear={clear}>
          <FilterField
            id="person"
            label="Person"
            placeholder="Email, or “rules”"
            value={filters.person}
            onChange={(person) => change({ person })}
          />
          <FilterField
            id="action"
            label="Action"
            placeholder="For example, payout."
            value={filters.action}
            onChange={(action) => change({ action })}
          />
          <FilterField
            id="subject"
            label="Record"
            placeholder="ID or reference"
            value={filters.subject}
            onChange={(subject) => change({ subject })}
          />
          <FilterField id="from" label="From" type="date" value={filters.from} onChange={(from) => change({ from })} />
          <FilterField id="to" label="To" type="date" value={filters.to} onChange={(to) => change({ to })} />
        </FilterBar>
        <LoadState query={query}>
          {(entries) => (
            <SectionCard>
              <Stack>
                <AuditTable entries={entries} />
                {query.hasNextPage && (
                  <div>
                    <Button size="small" variant="outlined" isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                      Show older entries
                    </Button>
                  </div>
                )}
              </Stack>
            </SectionCard>
          )}
        </LoadState>
      </Stack>
    </Page>
  );
}
