/** The organisations, grouped by the step they are waiting for, each with its client or its possible clients. */
import {
  ORGANISATION_STATES,
  ORGANISATIONS_PER_PAGE,
  practiceBooksApi,
  type BooksGrant,
  type OrganisationState,
  type PracticeOrganisation,
} from '@portal/contract/practice-books.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { useSearchParams } from '../../lib/search-params.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { Stack } from '../../ui/layout.tsx';
import { ListSearch } from '../../ui/list-search.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Pager } from '../../ui/pager.tsx';
import { PillTabs } from '../../ui/pill-tabs.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { TableSkeleton } from '../../ui/skeletons.tsx';
import { Text } from '../../ui/text.tsx';
import { EMPTY_MESSAGES, STATE_LABELS } from './organisation-labels.ts';
import { OrganisationRows } from './organisation-rows.tsx';
import { usePracticeBooksChange } from './use-practice-books.ts';

type Output = EndpointOutput<typeof practiceBooksApi.organisations>;
type OrganisationsCardProps = { companyId: string; grants: readonly BooksGrant[] };

export function OrganisationsCard({ companyId, grants }: OrganisationsCardProps) {
  const [params, setParams] = useSearchParams();
  const chosenState = ORGANISATION_STATES.find((item) => item === params.get('state'));
  const search = params.get('q') ?? '';
  const page = Math.max(1, Number.parseInt(params.get('page') ?? '1', 10) || 1);
  const input = { company_id: companyId, page, ...(chosenState ? { state: chosenState } : {}), ...(search === '' ? {} : { search }) };
  const query = useQuery({ ...apiQuery(practiceBooksApi.organisations, input), placeholderData: keepPreviousData });
  const unreadCount = grants.reduce((sum, grant) => sum + grant.unread, 0);
  const { refetch } = query;
  useEffect(() => {
    // Organisations are matched with clients as their numbers are read, so refetch the list.
    void refetch();
  }, [unreadCount, refetch]);
  const goTo = (changes: Readonly<Record<string, string>>): void => {
    const next = new URLSearchParams(params);
    for (const [name, value] of Object.entries(changes)) {
      if (value === '') next.delete(name);
      else next.set(name, value);
    }
    setParams(next);
  };
  return (
    <SectionCard title="Organisations">
      <LoadState query={query} skeleton={<TableSkeleton rows={6} />}>
        {(output) => (
          <Stack gap={16} aria-busy={query.isPlaceholderData}>
            <PillTabs label="Organisations by status" current={chosenState ?? 'all'} tabs={listTabs(companyId, output, search)} />
            <ListSearch
              text={search}
              label="Find an organisation or client"
              hint="Searches names and VAT numbers"
              onSearch={(q) => goTo({ q, page: '' })}
            />
            <ConfirmAll companyId={companyId} organisations={output.organisations} />
            {output.organisations.length === 0 ? (
              <Text tone="quiet">
                {search === ''
                  ? chosenState
                    ? EMPTY_MESSAGES[chosenState]
                    : 'No organisations yet.'
                  : `No organisation matches “${search}”.`}
              </Text>
            ) : (
              <OrganisationRows companyId={companyId} organisations={output.organisations} />
            )}
            <Pager
              page={page}
              pages={Math.max(1, Math.ceil(output.total / ORGANISATIONS_PER_PAGE))}
              count={output.total}
              noun={output.total === 1 ? 'organisation' : 'organisations'}
              onPage={(next) => goTo({ page: next === 1 ? '' : String(next) })}
            />
          </Stack>
        )}
      </LoadState>
    </SectionCard>
  );
}

function listTabs(companyId: string, { counts }: Output, search: string) {
  const searchInput = { company_id: companyId, ...(search === '' ? {} : { q: search }) };
  const totalCount = Object.values(counts).reduce((sum, item) => sum + item, 0);
  const renderState = (key: OrganisationState) => ({
    key,
    label: `${STATE_LABELS[key]} ${counts[key].toLocaleString('en-GB')}`,
    to: getPageLink('practiceBooks', { ...searchInput, state: key }),
  });
  // Rare states have a tab only while an organisation is in them.
  const states = ORGANISATION_STATES.filter((key) => counts[key] > 0 || !['reading', 'gone'].includes(key));
  return [
    { key: 'all', label: `All ${totalCount.toLocaleString('en-GB')}`, to: getPageLink('practiceBooks', searchInput) },
    ...states.map(renderState),
  ];
}

/** Confirms the organisations on this page that match by VAT number, or by name and company number. */
function ConfirmAll({ companyId, organisations }: { companyId: string; organisations: readonly PracticeOrganisation[] }) {
  const links = organisations.flatMap(({ program, organisation_id, state, candidates: [first] }) =>
    state === 'sure' && first ? [{ program, organisation_id, client_id: first.client_id }] : [],
  );
  const confirm = usePracticeBooksChange(() => apiRequest(practiceBooksApi.link, { company_id: companyId, links }));
  if (links.length < 2 && confirm.error === null) return null;
  return (
    <Stack gap={12}>
      {confirm.error !== null && (
        <Notice tone="error" title="No organisations were linked" role="alert">
          {getErrorText(confirm.error)}
        </Notice>
      )}
      <ButtonRow>
        <Button disabled={confirm.isPending || links.length === 0} onClick={() => confirm.mutate()}>
          Confirm these {links.length.toLocaleString('en-GB')} matches
        </Button>
      </ButtonRow>
    </Stack>
  );
}
