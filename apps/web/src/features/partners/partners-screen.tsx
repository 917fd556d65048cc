/**
 * Partners as operators see them: how much business they bring, their terms, and their contacts. One partner's contacts are open at a time.
 */
import { operatorPartnersApi } from '@portal/contract/partners.ts';
import { formatPounds, pence, sumPence } from '@portal/domain/money.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '../../lib/api.ts';
import { MEDIA_BELOW, useMediaQuery } from '../../lib/use-media-query.ts';
import { Button } from '../../ui/button.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Table, TableHead } from '../../ui/table.tsx';
import { Text } from '../../ui/text.tsx';
import { PartnerContactsDialog } from './partner-contacts-dialog.tsx';
import type { Partner } from './partner-output.ts';
import styles from './partners-screen.module.css';

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
  const isNarrow = useMediaQuery(MEDIA_BELOW.md);
  const [openedPartner, setOpened] = useState<string>();
  // Sort the partners that bring the most business first.
  const sorted = partners.toSorted((a, b) => b.refunds_pence - a.refunds_pence || b.companies - a.companies);
  const List = isNarrow ? PartnerCards : PartnerTable;
  return (
    <>
      <SectionCard
        title="Referrals by partner"
        source="Refunds and fees cover payouts already sent, by the partner whose terms apply to the company. First touch and last touch count people who used the partner’s link."
      >
        <List partners={sorted} open={({ name }) => setOpened(name)} />
      </SectionCard>
      <PartnerContactsDialog partner={partners.find(({ name }) => name === openedPartner)} onClose={() => setOpened(undefined)} />
    </>
  );
}

function PartnerTable({ partners, open }: ListProps) {
  return (
    <Table label="Partners" flush>
      <TableHead
        columns={[
          'Partner',
          { numeric: 'Our fee' },
          { numeric: 'First touch' },
          { numeric: 'Last touch' },
          { numeric: 'Companies' },
          { numeric: 'Refunds bought' },
          { numeric: 'Fees' },
          { numeric: 'Contacts' },
        ]}
      />
      <tbody>
        {partners.map((partner) => (
          <tr key={partner.name}>
            <th scope="row">
              <PartnerName partner={partner} />
            </th>
            <td data-numeric>{formatFee(partner)}</td>
            <td data-numeric>{partner.first_touch}</td>
            <td data-numeric>{partner.last_touch}</td>
            <td data-numeric>{partner.companies}</td>
            <td data-numeric>{partner.refunds_bought === 0 ? '0' : `${partner.refunds_bought}: ${formatPounds(partner.refunds_pence)}`}</td>
            <td data-numeric>{formatPounds(partner.fees_pence)}</td>
            <td data-numeric>
              <OpenContacts partner={partner} open={open} />
            </td>
          </tr>
        ))}
      </tbody>
      <Totals partners={partners} />
    </Table>
  );
}

function Totals({ partners }: Pick<ListProps, 'partners'>) {
  const sumPartners = (count: (partner: Partner) => number) => partners.reduce((sum, partner) => sum + count(partner), 0);
  const refundsBought = sumPartners(({ refunds_bought }) => refunds_bought);
  const refunds = formatPounds(sumPence(partners.map(({ refunds_pence }) => refunds_pence)));
  return (
    <tfoot>
      <tr className={styles.totals}>
        <th scope="row" colSpan={2}>
          All partners
        </th>
        <td data-numeric>{sumPartners(({ first_touch }) => first_touch)}</td>
        <td data-numeric>{sumPartners(({ last_touch }) => last_touch)}</td>
        <td data-numeric>{sumPartners(({ companies }) => companies)}</td>
        <td data-numeric>{refundsBought === 0 ? '0' : `${refundsBought}: ${refunds}`}</td>
        <td data-numeric>{formatPounds(pence(sumPartners(({ fees_pence }) => fees_pence)))}</td>
        <td data-numeric>{sumPartners(({ contacts }) => contacts.length)}</td>
      </tr>
    </tfoot>
  );
}

function PartnerCards({ partners, open }: ListProps) {
  return (
    <Stack as="ul" gap={0} aria-label="Partners">
      {partners.map((partner) => (
        <Row as="li" key={partner.name} gap={8} justify="between" className={styles.card}>
          <div className={styles.cardText}>
            <PartnerName partner={partner} />
            <Text size="small">
              {countText(partner.companies, 'company', 'companies')}, fee {formatFee(partner)}.{' '}
              {partner.refunds_bought === 0
                ? 'No refunds bought yet.'
                : `${countText(partner.refunds_bought, 'refund', 'refunds')} bought, ${formatPounds(partner.refunds_pence)} in total. Fees ${formatPounds(partner.fees_pence)}.`}
            </Text>
            <Text size="small" tone="quiet">
              First touch: {countText(partner.first_touch, 'person', 'people')}. Last touch:{' '}
              {countText(partner.last_touch, 'person', 'people')}.
            </Text>
          </div>
          <OpenContacts partner={partner} open={open} />
        </Row>
      ))}
    </Stack>
  );
}

function PartnerName({ partner }: { partner: Partner }) {
  return (
    <>
      <span className={styles.name}>{partner.logo_text}</span>
      <Text as="span" size="small" tone="quiet">
        {KINDS[partner.kind] ?? partner.kind}
      </Text>
    </>
  );
}

function OpenContacts({ partner, open }: { partner: Partner; open: ListProps['open'] }) {
  const count = partner.contacts.length;
  return (
    <Button variant="outlined" size="small" className={styles.contacts} onClick={() => open(partner)}>
      {count === 0 ? 'Add a contact' : countText(count, 'contact', 'contacts')}
      <HiddenText> of {partner.logo_text}</HiddenText>
    </Button>
  );
}

function formatFee({ fee_rate_bps: bps }: Partner): string {
  return `${bps / 100}%`;
}

function countText(count: number, singular: string, plural: string): string {
  return `${count} ${count === 1 ? singular : plural}`;
}
