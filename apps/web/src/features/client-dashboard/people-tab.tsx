import { UndeliverableNotice } from '../../components/practice/undeliverable-addresses.tsx';
import { DUTY_NAMES } from '../../lib/client-labels.ts';
import { FactList } from '../../ui/fact-list.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import type { ClientIds, ClientProfile } from './client-page.ts';
import { ContactsCard } from './contacts-card.tsx';
import { PortalAccessCard } from './portal-access-card.tsx';

/** The colleagues responsible for the client, and the client's contacts. */
export function PeopleTab({ ids, client }: { ids: ClientIds; client: ClientProfile }) {
  return (
    <>
      <UndeliverableNotice {...ids} />
      <SectionCard title="Owners">
        {client.members.length === 0 ? (
          <Text tone="quiet">Unassigned. An admin can assign the client to a colleague with “Assign” above.</Text>
        ) : (
          <FactList facts={client.members.map((member) => ({ label: DUTY_NAMES[member.duty], value: member.full_name }))} />
        )}
      </SectionCard>
      <PortalAccessCard ids={ids} client={client} />
      <ContactsCard ids={ids} client={client} />
    </>
  );
}
