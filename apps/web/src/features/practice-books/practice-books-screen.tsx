/** Bookkeeping software connected for all clients, and the client of each organisation. */
import { practiceBooksApi } from '@portal/contract/practice-books.ts';
import { useQuery } from '@tanstack/react-query';
import { PracticePage } from '../../components/practice/practice-page.tsx';
import { apiQuery } from '../../lib/api.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { GrantOutcomeNotice } from './grant-outcome-notice.tsx';
import { OrganisationsCard } from './organisations-card.tsx';
import { BooksProviderCard } from './provider-card.tsx';

const FOLLOW_INTERVAL_MS = 2_000;

export function PracticeBooksScreen() {
  const { companyId } = useCompanyId();
  const query = useQuery({
    ...apiQuery(practiceBooksApi.get, { company_id: companyId }),
    enabled: companyId !== '',
    refetchInterval: ({ state }) =>
      state.data?.grants.some(({ status, unread }) => status === 'connected' && unread > 0) ? FOLLOW_INTERVAL_MS : false,
  });
  const isForbidden = query.error?.status === 403;
  return (
    <PracticePage title="Clients’ books" lead="Connect bookkeeping software once, and prepare your clients’ VAT returns from their books.">
      {isForbidden ? (
        <Notice tone="info" title="You can’t manage connections">
          You need the “Manage connections” permission. Ask an admin of your practice.
        </Notice>
      ) : (
        <LoadState query={query} skeleton={<CardSkeleton lines={6} />}>
          {({ grants }) => (
            <Stack gap={24}>
              <GrantOutcomeNotice grants={grants} />
              {grants
                .filter(({ is_available: isAvailable, status }) => isAvailable || status !== 'not_connected')
                .map((grant) => (
                  <BooksProviderCard key={grant.program} companyId={companyId} grant={grant} />
                ))}
              {grants.every(({ is_available: isAvailable }) => !isAvailable) && (
                <Notice tone="info" title="No bookkeeping software is set up on this portal">
                  Upload each client’s books as a file on the client’s page.
                </Notice>
              )}
              {grants.some(({ status }) => status !== 'not_connected') && <OrganisationsCard companyId={companyId} grants={grants} />}
            </Stack>
          )}
        </LoadState>
      )}
    </PracticePage>
  );
}
