/**
 * Partners as operators see them: how much business they bring, their terms, and their contacts. One partner's contacts are open at a time.
 */
import { operatorPartnersApi } from '@portal/contract/partners.ts';
import { formatPounds, sumPence, type Pence } from '@portal/domain/money.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '../../lib/api.ts';
import { MEDIA_BELOW } from '../../lib/use-media-query.ts';
import { Button } from '../../ui/button.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Page } from '../../ui/page.tsx';
import { RecordTable } from '../../ui/record-table.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { PartnerContactsDialog } from './partner-contacts-dialog.tsx';
import type { Partner } from './partner-output.ts';

type ListProps = { partners: readonly Partner[]; open: (partner: Partner) => void };

const KINDS: Readonly<Record<string, string>> = {
  bookkeeping: 'Bookkeeping software',
  bridging: 'Bridging software',
  broker: 'Broker',
  accountancy: 'Accountant, set as agent',
};

export function PartnersScreen() {
  const query = useQuery(apiQuery(operatorPartnersApi.list, {}));
  return (
    <Page title="Partners" maxWidth="full">
      <LoadState query={query}>{({ partners }) => <Partners partners={partners} />}</LoadState>
    </Page>
  );
}

function Partners({ partners }: Pick<ListProps, 'partners'>) {
  const [openedPartner, setOpened] = useState<string>();
  // Sort the partners that bring the most business first.
  const sorted = partners.toSorted((a, b) => b.refunds_pence - a.refunds_pence || b.companies - a.companies);
  return (
    <>
      <SectionCard
        title="Referrals by partner"
        source="Refunds and fees cover payouts already sent, by the partner whose terms apply to the company. First touch and last touch count people who used the partner’s link."
      >
        <PartnerTable partners={sorted} open={({ name }) => setOpened(name)} />
      </SectionCard>
      <PartnerContactsDialog partner={partners.find(({ name }) => name === openedPartner)} onClose={() => setOpened(undefined)} />
    </>
  );
}

function PartnerTable({ partners, open }: ListProps) {
  const sumPartners = (count: (partner: Partner) => number) => partners.reduce((sum, partner) => sum + count(partner), 0);
  return (
    <RecordTable
      label="Partners"
      rows={partners}
      getKey={({ name }) => name}
      cardsAt={MEDIA_BELOW.md}
      columns={[
        { title: 'Partner', cell: (partner) => <PartnerName partner={partner} />, total: 'All partners' },
        { title: 'Our fee', layout: 'numeric', cell: ({ fee_rate_bps: bps }) => `${bps / 100}%` },
        { title: 'First touch', layout: 'numeric', cell: (row) => row.first_touch, total: sumPartners((row) => row.first_touch) },
        { title: 'Last touch', layout: 'numeric', cell: (row) => row.last_touch, total: sumPartners((row) => row.last_touch) },
        { title: 'Companies', layout: 'numeric', cell: (row) => row.companies, total: sumPartners((row) => row.companies) },
        {
          title: 'Refunds bought',
          layout: 'numeric',
          cell: (row) => (row.refunds_bought === 0 ? null : formatRefunds(row.refunds_bought, row.refunds_pence)),
          total: formatRefunds(
            sumPartners((row) => row.refunds_bought),
            sumPence(partners.map((row) => row.refunds_pence)),
          ),
        },
        {
          title: 'Fees',
          layout: 'numeric',
          cell: (row) => (row.fees_pence === 0 ? null : formatPounds(row.fees_pence)),
          total: formatPounds(sumPence(partners.map((row) => row.fees_pence))),
        },
        { title: 'Contacts', layout: 'action', cell: (partner) => <OpenContacts partner={partner} open={open} /> },
      ]}
    />
  );
}

function PartnerName({ partner }: { partner: Partner }) {
  return (
    <>
      {partner.logo_text}
      <Text size="small" tone="quiet">
        {KINDS[partner.kind] ?? partner.kind}
      </Text>
    </>
  );
}

function OpenContacts({ partner, open }: { partner: Partner; open: ListProps['open'] }) {
  const count = partner.contacts.length;
  return (
    <Button variant="outlined" size="small" onClick={() => open(partner)}>
      {count === 0 ? 'Add a contact' : `${count} ${count === 1 ? 'contact' : 'contacts'}`}
      <HiddenText> of {partner.logo_text}</HiddenText>
    </Button>
  );
}

const formatRefunds = (count: number, amount: Pence): string => (count === 0 ? '0' : `${count}: ${formatPounds(amount)}`);
