import { AuthorisationCard } from '../../components/practice/authorisation-card.tsx';
import type { ClientIds, ClientProfile } from './client-page.ts';
import { ConnectionsCard } from './connections-card.tsx';
import { VatGroupCard } from './vat-group-card.tsx';

/** What HMRC allows the practice to do for the client, and the connections that provide its figures. */
export function AuthorisationTab({ ids, client }: { ids: ClientIds; client: ClientProfile }) {
  const isGroupMember = client.vat_group?.role === 'member';
  return (
    <>
      {isGroupMember && <VatGroupCard ids={ids} client={client} />}
      {(client.taxes.length > 0 || !isGroupMember) && <AuthorisationCard {...ids} />}
      <ConnectionsCard companyId={ids.companyId} />
    </>
  );
}
