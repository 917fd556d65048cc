/** The client's name and details, and whether the client needs attention. */
import { formatPounds, pence, type Pence } from '@portal/domain/money.ts';
import { formatVrn } from '@portal/domain/uk-tax/references/vrn.ts';
import { useQueries } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';
import { KIND_NAMES, NEED_LABELS, STATUS_NAMES } from '../../lib/client-labels.ts';
import { TAX_NAMES } from '../../lib/tax-names.ts';
import { DateText, InstantText } from '../../components/formats/date-text.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Text } from '../../ui/text.tsx';
import styles from './client-head.module.css';
import { toClientInput, type ClientProfile, type ClientIds } from './client-page.ts';
import { SUMMARY_ENDPOINTS } from './summaries.ts';

const DUTY_NAMES = { manager: 'manager', vat: 'VAT', payroll: 'payroll', deputy: 'deputy' } as const;

export function ClientHead({ ids, client }: { ids: ClientIds; client: ClientProfile }) {
  const facts = getFacts(client);
  const half = Math.ceil(facts.length / 2);
  return (
    <SectionCard>
      <Stack>
        <Row gap={8}>
          <StateChip {...NEED_LABELS[client.attention]} />
          <Text tone="quiet">
            {KIND_NAMES[client.kind]}, {STATUS_NAMES[client.status].toLowerCase()}
          </Text>
        </Row>
        <Text size="large" weight="bold">
          <NextDue client={client} />
        </Text>
        <TaxTotals ids={ids} client={client} />
        <div className={styles.facts}>
          <FactList facts={facts.slice(0, half)} />
          <FactList facts={facts.slice(half)} />
        </div>
      </Stack>
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
    <div>
      <Text>{text}</Text>
      <Text size="small" tone="quiet">
        Total for {read.length} taxes.
        {unknown > 0 && ` Amounts for ${unknown === 1 ? 'one other tax' : `${unknown} other taxes`} aren’t known yet.`} Each card below
        shows its source and date.
      </Text>
    </div>
  );
}

function NextDue({ client }: { client: ClientProfile }) {
  if (client.next_due_on === null || client.next_due_tax === null) return 'Nothing due';
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
    { label: 'Client code', value: client.client_code },
    { label: 'Companies House status', value: client.register_status === null ? null : <Register client={client} /> },
  ];
  return [...facts.filter(({ value }) => value !== null), { label: 'Owner', value: members || 'Unassigned' }];
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
      {client.register_status === 'not_found' ? 'No company with this number' : client.register_status?.replaceAll('-', ' ')}
      {client.register_read_at !== null && (
        <>
          , <InstantText at={client.register_read_at} />
        </>
      )}
    </>
  );
}

/** States the amount owed, how much of it is overdue, and the refund due. Zero is written in words. */
export function describeOwed(owed: Pence, overdue: Pence, refund: Pence): string {
  const late = overdue === 0 ? 'none of it overdue' : `${formatPounds(overdue)} of it overdue`;
  const debt = owed === 0 ? 'Nothing owed to HMRC.' : `${formatPounds(owed)} owed to HMRC, ${late}.`;
  return `${debt} ${refund === 0 ? 'No refunds due.' : `${formatPounds(refund)} in refunds due.`}`;
}
