/** Counts the clients that have and haven't authorised the practice for a tax. Each number links to exactly those clients. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { syncStatusEndpoints } from '@portal/contract/sync-status.ts';
import { FILTERED_STATUSES, type AuthorisationFilter } from '@portal/domain/authorisations/describe-authorisation.ts';
import type { AgentTax } from '@portal/domain/uk-tax/tax.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { TextLink } from '../../ui/text-link.tsx';

type Counts = EndpointOutput<typeof syncStatusEndpoints.connectionStatus>['authorisations'];
type AuthorisationCountsProps = {
  companyId: string;
  tax: AgentTax;
  counts: Counts;
  /** True to include authorised and suspended clients, not only those that need action. */
  showsAll?: boolean;
};

const PARTS: readonly { readonly filter: AuthorisationFilter; readonly label: string; readonly isAction: boolean }[] = [
  { filter: 'authorised', label: 'authorised', isAction: false },
  { filter: 'missing', label: 'not authorised', isAction: true },
  { filter: 'not_checked', label: 'not checked yet', isAction: true },
  { filter: 'pending', label: 'waiting for the client', isAction: true },
  { filter: 'suspended', label: 'suspended', isAction: false },
];

export function AuthorisationCounts({ companyId, tax, counts, showsAll = false }: AuthorisationCountsProps) {
  const parts = PARTS.flatMap(({ filter, label, isAction }) => {
    const clients = countFiltered(counts, filter);
    return clients > 0 && (isAction || showsAll) ? [{ filter, text: `${clients.toLocaleString('en-GB')} ${label}` }] : [];
  });
  return parts.map(({ filter, text }, place) => (
    <span key={filter}>
      {place > 0 && ' · '}
      <TextLink to={getPageLink('practiceClients', { company_id: companyId, tax, authorisation: filter, status: 'in_hand' })}>
        {text}
      </TextLink>
    </span>
  ));
}

/** Returns the number of clients that the list filter finds. */
export function countFiltered(counts: Counts, filter: AuthorisationFilter): number {
  return counts.filter(({ status }) => FILTERED_STATUSES[filter].includes(status)).reduce((sum, { clients }) => sum + clients, 0);
}
