import { practiceTotalsEndpoints } from '@portal/contract/practice-totals.ts';
import { useQuery } from '@tanstack/react-query';
import { NoFiguresNotice } from '../../components/practice/no-figures-notice.tsx';
import { apiQuery } from '../../lib/api.ts';

/**
 * Shows the next step until the first amount has been read. Clients with unread taxes may already have amounts, so this uses the totals.
 */
export function NothingRead({ companyId, isAdmin }: { companyId: string; isAdmin: boolean }) {
  const { data } = useQuery(apiQuery(practiceTotalsEndpoints.get, { company_id: companyId, tax: 'all' }));
  if (data?.state !== 'nothing_read' || data.syncing.length > 0) return null;
  return <NoFiguresNotice companyId={companyId} isAdmin={isAdmin} />;
}
