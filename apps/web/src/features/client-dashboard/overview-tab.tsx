import { UndeliverableNotice } from '../../components/practice/undeliverable-addresses.tsx';
import { ClientHead } from './client-head.tsx';
import type { ClientIds, ClientProfile } from './client-page.ts';
import { BooksCard } from './books-card.tsx';
import { FirstSteps } from './first-steps.tsx';
import { PinnedNotes } from './pinned-notes.tsx';
import { RegisterPeopleCard } from './register-people-card.tsx';
import { TaxCards } from './tax-cards.tsx';
import { VatGroupCard } from './vat-group-card.tsx';
import { TurnoverCard } from './turnover-card.tsx';
import { TimelineCard } from './timeline-card.tsx';

/** What is urgent and what comes next, pinned notes, a card for each tax, and the timeline. */
export function OverviewTab({ ids, client }: { ids: ClientIds; client: ClientProfile }) {
  const isGroupMember = client.vat_group?.role === 'member';
  return (
    <>
      <ClientHead ids={ids} client={client} />
      <UndeliverableNotice {...ids} />
      <PinnedNotes ids={ids} />
      <FirstSteps ids={ids} client={client} />
      {isGroupMember && <VatGroupCard ids={ids} client={client} />}
      {(client.taxes.length > 0 || !isGroupMember) && <TaxCards ids={ids} taxes={client.taxes} opensTabs />}
      {client.taxes.length > 0 && <BooksCard ids={ids} taxes={client.taxes} today={client.today} />}
      <TurnoverCard ids={ids} today={client.today} />
      {!isGroupMember && !client.taxes.includes('vat') && <VatGroupCard ids={ids} client={client} />}
      {client.company_number !== null && <RegisterPeopleCard ids={ids} today={client.today} />}
      <TimelineCard ids={ids} />
    </>
  );
}
