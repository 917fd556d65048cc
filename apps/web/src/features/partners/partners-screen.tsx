/** Partners for operators: what they bring in numbers, their terms, and their contacts. One partner's contacts are open at a time. */
import { operatorPartnersApi } from '@portal/contract/partners.ts';
import { formatPounds, pence, sumPence } from '@portal/domain/money.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useTheme } from '@mui/material/styles';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableFooter from '@mui/material/TableFooter';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '../../lib/api.ts';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { FLUSH_TABLE } from '../../ui/flush-table.ts';
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
  const narrow = useMediaQuery(useTheme().breakpoints.down('md'));
  const [opened, setOpened] = useState<string>();
  // Partners that bring the most come first.
  const sorted = partners.toSorted((a, b) => b.refunds_pence - a.refunds_pence || b.companies - a.companies);
  const List = narrow ? PartnerCards : PartnerTable;
  return (
    <>
      <SectionCard
        title="Who sends us traders"
        source="Refunds and fees: of the payouts that have left, by the partner on whose terms each company is. First and last touch: people who came by its link."
      >
        <List partners={sorted} open={({ name }) => setOpened(name)} />
      </SectionCard>
      <PartnerContactsDialog partner={partners.find(({ name }) => name === opened)} onClose={() => setOpened(undefined)} />
    </>
  );
}

function PartnerTable({ partners, open }: ListProps) {
  return (
    <TableContainer tabIndex={0} role="region" aria-label="Partners">
      <Table sx={FLUSH_TABLE}>
        <TableHead>
          <TableRow>
            <TableCell>Partner</TableCell>
            <TableCell align="right">Our fee</TableCell>
            <TableCell align="right">First touch</TableCell>
            <TableCell align="right">Last touch</TableCell>
            <TableCell align="right">Companies</TableCell>
            <TableCell align="right">Refunds bought</TableCell>
            <TableCell align="right">Fees</TableCell>
            <TableCell align="right">Contacts</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {partners.map((partner) => (
            <TableRow key={partner.name}>
              <TableCell component="th" scope="row">
                <PartnerName partner={partner} />
              </TableCell>
              <TableCell align="right">{feeText(partner)}</TableCell>
              <TableCell align="right">{partner.first_touch}</TableCell>
              <TableCell align="right">{partner.last_touch}</TableCell>
              <TableCell align="right">{partner.companies}</TableCell>
              <TableCell align="right">
                {partner.refunds_bought === 0 ? '0' : `${partner.refunds_bought}: ${formatPounds(partner.refunds_pence)}`}
              </TableCell>
              <TableCell align="right">{formatPounds(partner.fees_pence)}</TableCell>
              <TableCell align="right">
                <OpenContacts partner={partner} open={open} />
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
        <Totals partners={partners} />
      </Table>
    </TableContainer>
  );
}

function Totals({ partners }: Pick<ListProps, 'partners'>) {
  const total = (count: (partner: Partner) => number) => partners.reduce((sum, partner) => sum + count(partner), 0);
  const bought = total(({ refunds_bought }) => refunds_bought);
  const refunds = formatPounds(sumPence(partners.map(({ refunds_pence }) => refunds_pence)));
  return (
    <TableFooter>
      <TableRow sx={{ '& > .MuiTableCell-root': { fontWeight: 600, color: 'text.primary' } }}>
        <TableCell component="th" scope="row">
          All partners
        </TableCell>
        <TableCell />
        <TableCell align="right">{total(({ first_touch }) => first_touch)}</TableCell>
        <TableCell align="right">{total(({ last_touch }) => last_touch)}</TableCell>
        <TableCell align="right">{total(({ companies }) => companies)}</TableCell>
        <TableCell align="right">{bought === 0 ? '0' : `${bought}: ${refunds}`}</TableCell>
        <TableCell align="right">{formatPounds(pence(total(({ fees_pence }) => fees_pence)))}</TableCell>
        <TableCell />
      </TableRow>
    </TableFooter>
  );
}

function PartnerCards({ partners, open }: ListProps) {
  return (
    <Box component="ul" aria-label="Partners" sx={{ listStyle: 'none', m: 0, p: 0 }}>
      {partners.map((partner) => (
        <Box
          component="li"
          key={partner.name}
          sx={{
            display: 'flex',
            flexWrap: 'wrap',
            alignItems: 'center',
            justifyContent: 'space-between',
            gap: 1,
            py: 1.5,
            borderTop: 1,
            borderColor: 'divider',
          }}
        >
          <Box sx={{ flex: '1 1 240px', minWidth: 0 }}>
            <PartnerName partner={partner} />
            <Typography variant="body2">
              {countText(partner.companies, 'company', 'companies')}, fee {feeText(partner)}.{' '}
              {partner.refunds_bought === 0
                ? 'No refund bought yet.'
                : `${countText(partner.refunds_bought, 'refund', 'refunds')} of ${formatPounds(partner.refunds_pence)} bought, fees ${formatPounds(partner.fees_pence)}.`}
            </Typography>
            <Typography variant="body2" sx={{ color: 'text.secondary' }}>
              First touch: {countText(partner.first_touch, 'person', 'people')}. Last touch:{' '}
              {countText(partner.last_touch, 'person', 'people')}.
            </Typography>
          </Box>
          <OpenContacts partner={partner} open={open} />
        </Box>
      ))}
    </Box>
  );
}

function PartnerName({ partner }: { partner: Partner }) {
  return (
    <>
      <Box component="span" sx={{ display: 'block', fontWeight: 600 }}>
        {partner.logo_text}
      </Box>
      <Typography component="span" variant="body2" sx={{ color: 'text.secondary' }}>
        {KINDS[partner.kind] ?? partner.kind}
      </Typography>
    </>
  );
}

function OpenContacts({ partner, open }: { partner: Partner; open: ListProps['open'] }) {
  const count = partner.contacts.length;
  return (
    <Button variant="outlined" size="small" sx={{ whiteSpace: 'nowrap' }} onClick={() => open(partner)}>
      {count === 0 ? 'Add a contact' : countText(count, 'contact', 'contacts')}
      <HiddenText> of {partner.logo_text}</HiddenText>
    </Button>
  );
}

function feeText({ fee_rate_bps: bps }: Partner): string {
  return `${bps / 100}%`;
}

function countText(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
