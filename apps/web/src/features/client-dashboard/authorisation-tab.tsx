import { AuthorisationCard } from '../../components/practice/authorisation-card.tsx';
import type { ClientIds } from './client-page.ts';
import { ConnectionsCard } from './connections-card.tsx';

/** What HMRC allows the practice to do for the client, and the connections that provide its figures. */
export function AuthorisationTab({ ids }: { ids: ClientIds }) {
  return (
    <>
      <AuthorisationCard {...ids} />
      <ConnectionsCard companyId={ids.companyId} />
    </>
  );
}
