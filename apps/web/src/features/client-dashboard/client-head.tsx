/** The client's name and details, and whether the client needs attention. */
import { formatPounds, pence, type Pence } from '@portal/domain/money.ts';
import { formatVrn } from '@portal/domain/uk-tax/references/vrn.ts';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useQueries } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';
import { KIND_NAMES, NEED_LABELS, STATUS_NAMES } from '../../lib/client-labels.ts';
import { TAX_NAMES } from '../../lib/tax-names.ts';
import { DateText, InstantText } from '../../ui/date-text.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { toClientInput, type ClientProfile, type ClientIds } from './client-page.ts';
import { SUMMARY_ENDPOINTS } from './summaries.ts';

const DUTY_NAMES = { manager: 'manager', vat: 'VAT', payroll: 'payroll', deputy: 'deputy' } as const;

export function ClientHead({ ids, client }: { ids: ClientIds; client: ClientProfile }) {
  const facts = getFacts(client);
  const half = Math.ceil(facts.length / 2);
  return (
    <SectionCard>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center', mb: 2 }}>
        <StateChip {...NEED_LABELS[client.attention]} />
        <Typography sx={{ color: 'text.secondary' }}>
          {KIND_NAMES[client.kind]}, {STATUS_NAMES[client.status].toLowerCase()}
        </Typography>
      </Box>
      <Typography sx={{ fontSize: '1.25rem', fontWeight: 600, mb: 2 }}>
        <NextDue client={client} />
      </Typography>
      <TaxTotals ids={ids} client={client} />
      <Box sx={{ display: 'grid', columnGap: 4, rowGap: { xs: 0, sm: 1 }, gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: '1fr 1fr' } }}>
        <FactList facts={facts.slice(0, half)} />
        <FactList facts={facts.slice(half)} />
      </Box>
    </SectionCard>
  );
}

/** Totals over all taxes with known amounts: one glance shows whether the client is up to date. */
function TaxTotals({ ids, client }: { ids: ClientIds; client: ClientProfile }) {
  const summaries = useQueries({ queries: client.taxes.map((tax) => apiQuery(SUMMARY_ENDPOINTS[tax], toClientInput(ids))) });
  const read = summaries.flatMap(({ data }) => (data?.figures && data.detail?.standing === 'read' ? [data.figures] : []));
  if (read.length < 2 || summaries.some(({ data }) => data === undefined)) return null;
  const sum = (pick: (one: (typeof read)[number]) => Pence): Pence => pence(read.reduce((total, one) => total + pick(one), 0));
  const text = describeOwed(
    sum((one) => one.owed_pence),
    sum((one) => one.overdue_pence),
    sum((one) => one.refund_pence),
  );
  const unknown = client.taxes.length - read.length;
  return (
    <Box sx={{ mb: 2 }}>
      <Typography sx={{ fontVariantNumeric: 'tabular-nums' }}>{text}</Typography>
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        The sum of {read.length} taxes{unknown > 0 ? `; amounts of ${unknown === 1 ? 'another' : `${unknown} others`} are not known` : ''}.
        Each card below names its source and time.
      </Typography>
    </Box>
  );
}

function NextDue({ client }: { client: ClientProfile }) {
  if (client.next_due_on === null || client.next_due_tax === null) return 'Nothing is due that we know of';
  const isLate = client.next_due_on < client.today;
  const what = `${TAX_NAMES[client.next_due_tax]} ${client.next_due_what ?? ''}`;
  const amount = client.next_due_pence === null || client.next_due_what !== 'payment' ? '' : ` of ${formatPounds(client.next_due_pence)}`;
  return (
    <>
      {isLate ? 'Late: ' : 'Next: '}
      {what}
      {amount}, {isLate ? 'was due' : 'due'} <DateText date={client.next_due_on} />
    </>
  );
}

function getFacts(client: ClientProfile) {
  const members = client.members.map((member) => `${member.full_name} (${DUTY_NAMES[member.duty]})`).join(', ');
  const facts = [
    { label: 'VAT number', value: client.vrn === null ? null : formatVrn(client.vrn) },
    { label: 'UTR', value: client.utr },
    { label: 'National Insurance number', value: client.nino },
    { label: 'Company number', value: client.company_number },
    { label: 'PAYE reference', value: client.paye_reference },
    { label: 'Accounts Office reference', value: client.accounts_office_reference },
    { label: 'Year end', value: client.year_end_on === null ? null : <YearEnd client={client} /> },
    { label: 'Postcode', value: client.postcode },
    { label: 'Email', value: client.email },
    { label: 'Phone', value: client.phone },
    { label: 'Companies House says', value: client.register_status === null ? null : <Register client={client} /> },
  ];
  return [...facts.filter(({ value }) => value !== null), { label: 'Looked after by', value: members || 'Nobody yet' }];
}

function YearEnd({ client }: { client: ClientProfile }) {
  if (client.year_end_on === null) return null;
  return (
    <>
      <DateText date={client.year_end_on} /> ({client.year_end_source === 'companies_house' ? 'Companies House' : 'your practice'})
    </>
  );
}

function Register({ client }: { client: ClientProfile }) {
  return (
    <>
      {client.register_status === 'not_found' ? 'no company of this number' : client.register_status?.replaceAll('-', ' ')}
      {client.register_read_at !== null && (
        <>
          , <InstantText at={client.register_read_at} />
        </>
      )}
    </>
  );
}

/** States the amount owed, how much of it is overdue, and the amount HMRC will repay. Zero is written as a word. */
export function describeOwed(owed: Pence, overdue: Pence, refund: Pence): string {
  const late = overdue === 0 ? 'none' : formatPounds(overdue);
  const debt = owed === 0 ? 'Nothing is owed to HMRC.' : `${formatPounds(owed)} owed to HMRC in all, ${late} of it overdue.`;
  return `${debt} ${refund === 0 ? 'Nothing' : formatPounds(refund)} is coming back.`;
}
