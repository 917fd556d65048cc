/** Links to the returns of the periods before and after, so that comparing them doesn't take the user back to the list each time. */
import { dashboardApi } from '@portal/contract/dashboard.ts';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { periodText } from '../../lib/period-text.ts';
import { Stack } from '../../ui/layout.tsx';
import { TextLink } from '../../ui/text-link.tsx';

type NeighbouringReturnsProps = { companyId: string; obligationId: string };

export function NeighbouringReturns({ companyId, obligationId }: NeighbouringReturnsProps) {
  const query = useQuery({ ...apiQuery(dashboardApi.get, { company_id: companyId }), staleTime: 60_000 });
  const oldestFirst = query.data?.obligations.toSorted((a, b) => (a.period_end < b.period_end ? -1 : 1)) ?? [];
  const index = oldestFirst.findIndex(({ obligation_id }) => obligation_id === obligationId);
  if (index === -1) return null;
  const links = [
    { label: 'Previous return', obligation: oldestFirst[index - 1] },
    { label: 'Next return', obligation: oldestFirst[index + 1] },
  ];
  return (
    <Stack as="nav" aria-label="Other VAT returns" gap={8}>
      {links.map(
        ({ label, obligation }) =>
          obligation !== undefined && (
            <TextLink key={label} to={getPageLink('vatReturn', { company_id: companyId, obligation_id: obligation.obligation_id })}>
              {label}: {periodText(obligation.period_start, obligation.period_end)}
            </TextLink>
          ),
      )}
    </Stack>
  );
}
