/** Shows what is due next, the total owed, and the client's details. */
import { formatPounds, type Pence } from '@portal/domain/money.ts';
import { getItemName } from '@portal/domain/positions/item-names.ts';
import { isIncomplete } from '@portal/domain/positions/figures-state.ts';
import { describeFigureState, describeNothingDue, FiguresLabel } from '../../components/practice/figures-label.tsx';
import { TAX_NAMES } from '@portal/domain/uk-tax/tax.ts';
import { DateText, InstantText } from '../../components/formats/date-text.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { Stack } from '../../ui/layout.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import styles from './client-head.module.css';
import type { ClientIds, ClientProfile } from './client-page.ts';
import { getAmountsLink, getTabLink } from './client-tabs.ts';

type ClientHeadProps = { ids: ClientIds; client: ClientProfile };

export function ClientHead({ ids, client }: ClientHeadProps) {
  const facts = listFacts(client);
  const halfCount = Math.ceil(facts.length / 2);
  return (
    <SectionCard>
      <Stack>
        <Text size="large" weight="bold">
          <NextDue ids={ids} client={client} />
        </Text>
        <TaxTotals ids={ids} client={client} />
        {facts.length > 0 && (
          <div className={styles.facts}>
            <FactList facts={facts.slice(0, halfCount)} />
            <FactList facts={facts.slice(halfCount)} />
          </div>
        )}
      </Stack>
    </SectionCard>
  );
}

/** Totals over all taxes that have figures: shows at a glance whether the client is up to date, and whether anything is unknown. */
function TaxTotals({ ids, client }: ClientHeadProps) {
  const { owed_pence: owedAmount, overdue_pence: overdueAmount, refund_pence: refund } = client;
  if (owedAmount === null || overdueAmount === null || refund === null) return <Text>{describeFigureState(client, client.today)}</Text>;
  return (
    <div>
      <OwedSentence
        ids={ids}
        taxes={client.taxes}
        owed={owedAmount}
        overdue={overdueAmount}
        refund={refund}
        isIncomplete={isIncomplete(client.figures_state)}
      />
      <FiguresLabel figures={client} today={client.today} />
    </div>
  );
}

function NextDue({ ids, client }: ClientHeadProps) {
  if (client.next_due_on === null || client.next_due_tax === null) return describeNothingDue(client.figures_state);
  const isLate = client.next_due_on < client.today;
  const dueText = `${TAX_NAMES[client.next_due_tax]} ${client.next_due_what === null ? '' : getItemName(client.next_due_what)}`;
  const amount = client.next_due_pence === null || client.next_due_what === 'return' ? '' : ` of ${formatPounds(client.next_due_pence)}`;
  return (
    <>
      {isLate ? 'Late: ' : 'Next: '}
      <TextLink to={getTabLink(ids, client.next_due_tax)} inheritsColour>
        {dueText}
        {amount}
      </TextLink>
      , {isLate ? 'was due' : 'due'} <DateText date={client.next_due_on} />
    </>
  );
}

function listFacts(client: ClientProfile) {
  const facts = [
    { label: 'Year end', value: client.year_end_on === null ? null : <YearEnd client={client} /> },
    { label: 'Postcode', value: client.postcode },
    { label: 'Email', value: client.email },
    { label: 'Phone', value: client.phone },
    { label: 'Client code', value: client.client_code },
    { label: 'Companies House status', value: client.register_status === null ? null : <RegisterStatus client={client} /> },
  ];
  return facts.filter(({ value }) => value !== null);
}

function YearEnd({ client }: { client: ClientProfile }) {
  if (client.year_end_on === null) return null;
  return (
    <>
      <DateText date={client.year_end_on} /> ({client.year_end_source === 'companies_house' ? 'Companies House' : 'your practice'})
    </>
  );
}

function RegisterStatus({ client }: { client: ClientProfile }) {
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

type OwedFigures = { readonly owed: Pence; readonly overdue: Pence; readonly refund: Pence; readonly isIncomplete: boolean };

type OwedSentenceProps = OwedFigures & { ids: ClientIds; taxes: ClientProfile['taxes'] };

export function OwedSentence({ ids, taxes, ...figures }: OwedSentenceProps) {
  return (
    <Text>
      {listOwedParts(figures).map((part) =>
        typeof part === 'string' ? (
          part
        ) : (
          <TextLink key={part.of} to={getAmountsLink(ids, taxes)} inheritsColour>
            {formatPounds(part.amount)}
          </TextLink>
        ),
      )}
    </Text>
  );
}

/** Text, or an amount that links to its breakdown. */
type OwedPart = string | { readonly of: 'owed' | 'overdue' | 'refund'; readonly amount: Pence };

/** States the amount owed, how much of it is overdue, and the refund due. Zero is written in words, and only if every tax has been read. */
export function listOwedParts({ owed, overdue, refund, isIncomplete: isPart }: OwedFigures): readonly OwedPart[] {
  const lateParts: readonly OwedPart[] =
    overdue === 0 ? (isPart ? [] : [', none of it overdue']) : [', ', { of: 'overdue', amount: overdue }, ' of it overdue'];
  const debt: readonly OwedPart[] =
    owed === 0
      ? isPart
        ? []
        : ['Nothing owed to HMRC.']
      : [...(isPart ? ['At least '] : []), { of: 'owed', amount: owed }, ' owed to HMRC', ...lateParts, '.'];
  const refundParts: readonly OwedPart[] =
    refund === 0
      ? isPart
        ? []
        : ['No refunds due.']
      : [...(isPart ? ['At least '] : []), { of: 'refund', amount: refund }, ' in refunds due.'];
  const parts = [...debt, ...(debt.length > 0 && refundParts.length > 0 ? [' '] : []), ...refundParts];
  return parts.length === 0 ? ['No amounts known yet.'] : parts;
}
