/** The returns that HMRC expects or has received, newest first, each linked to its page. The filter is stored in the URL. */
import type { DashboardOutput } from '@portal/contract/dashboard.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { useSearchParams } from '../../lib/search-params.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { periodText } from '../../lib/period-text.ts';
import { MEDIA_BELOW, useMediaQuery } from '../../lib/use-media-query.ts';
import { DateText, InstantText } from '../../components/formats/date-text.tsx';
import { FilterChips } from '../../ui/filter-chips.tsx';
import { Stack } from '../../ui/layout.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { NoReturnsIllustration } from '../../ui/illustrations.tsx';
import { DocumentsLink } from '../../components/documents/documents-link.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Table, TableHead } from '../../ui/table.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import styles from './obligations-card.module.css';
import { GROUP_LABELS, getObligationGroup, getReturnChip, OBLIGATION_GROUPS, type Obligation } from './return-labels.ts';

const QUERY_NAME = 'returns';

export function ObligationsCard({ data, title = 'VAT returns' }: { data: DashboardOutput; title?: string }) {
  const [search] = useSearchParams();
  const chosenGroup = OBLIGATION_GROUPS.find((group) => group === search.get(QUERY_NAME));
  const isNarrow = useMediaQuery(MEDIA_BELOW.md);
  const newestFirst = data.obligations.toSorted((a, b) => (a.period_end < b.period_end ? 1 : -1));
  const shownObligations = newestFirst.filter((obligation) => chosenGroup === undefined || getObligationGroup(obligation) === chosenGroup);
  const List = isNarrow ? ObligationList : ObligationTable;
  const { status, as_of: asOf } = data.hmrc;
  return (
    <SectionCard
      title={title}
      aside={<DocumentsLink companyId={data.company.company_id} />}
      source={
        asOf ? (
          <>
            Updated from HMRC on <InstantText at={asOf} />. Amounts marked * are from your books.
          </>
        ) : undefined
      }
    >
      {data.obligations.length === 0 ? (
        <EmptyState
          illustration={<NoReturnsIllustration />}
          title="No returns yet"
          text={
            asOf
              ? 'HMRC has no VAT returns for this company yet.'
              : status === 'connected'
                ? 'We’re getting your returns from HMRC.'
                : 'Connect HMRC to see your returns.'
          }
        />
      ) : (
        <>
          <FilterChips
            label="Show returns"
            name={QUERY_NAME}
            selected={chosenGroup}
            all={{ label: 'All', count: newestFirst.length }}
            options={OBLIGATION_GROUPS.map((group) => ({
              value: group,
              label: GROUP_LABELS[group],
              count: newestFirst.filter((obligation) => getObligationGroup(obligation) === group).length,
            }))}
          />
          {shownObligations.length === 0 ? (
            <Text className={styles.none}>No returns match. Choose All to see the others.</Text>
          ) : (
            <List obligations={shownObligations} companyId={data.company.company_id} />
          )}
        </>
      )}
    </SectionCard>
  );
}

type ListProps = { obligations: readonly Obligation[]; companyId: string };

function ReturnLink({ obligation, companyId }: { obligation: Obligation; companyId: string }) {
  return (
    <TextLink to={getPageLink('vatReturn', { company_id: companyId, obligation_id: obligation.obligation_id })}>
      {periodText(obligation.period_start, obligation.period_end, 'short')}
    </TextLink>
  );
}

/** HMRC's list of charges only covers recent returns, so we don't know whether an old return has been paid. */
function describeAmount({ amount, settled, state }: Obligation): string {
  if (amount?.direction === 'repayment') {
    if (settled) return 'HMRC repaid';
    return state === 'filed_elsewhere' || state === 'filed' ? 'Refund claimed' : 'HMRC owes you';
  }
  if (amount?.direction === 'payment') return settled ? 'You paid' : 'You owe HMRC';
  return 'Nothing due';
}

/** The amount with its direction in words, or a dash if there is no amount. */
function Amount({ obligation }: { obligation: Obligation }) {
  const { amount, state } = obligation;
  if (amount === null) return <span>–</span>;
  return (
    <>
      <span className={styles.amount}>
        {formatPounds(amount.box5_pence)}
        {amount.source === 'books' && ' *'}
      </span>
      <Text size="small" tone="quiet">
        {describeAmount(obligation)}
        {state === 'open_running' && ' so far'}
      </Text>
    </>
  );
}

function ObligationTable({ obligations, companyId }: ListProps) {
  return (
    <Table label="VAT returns" flush>
      <TableHead columns={['Period', 'Due', 'Status', { numeric: 'Amount' }, { numeric: 'Paid to you' }]} />
      <tbody>
        {obligations.map((obligation) => (
          <tr key={obligation.obligation_id}>
            <th scope="row">
              <ReturnLink obligation={obligation} companyId={companyId} />
              {obligation.received_on && (
                <Text size="small" tone="quiet">
                  Filed <DateText date={obligation.received_on} style="short" />
                </Text>
              )}
            </th>
            <td data-nowrap>
              <DateText date={obligation.due_on} style="short" />
            </td>
            <td data-nowrap>
              <StateChip {...getReturnChip(obligation)} />
            </td>
            <td data-numeric>
              <Amount obligation={obligation} />
            </td>
            <td data-numeric>{obligation.paid_on ? <DateText date={obligation.paid_on} style="short" /> : '–'}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function ObligationList({ obligations, companyId }: ListProps) {
  return (
    <Stack as="ul" gap={0} aria-label="VAT returns">
      {obligations.map((obligation) => (
        <li key={obligation.obligation_id} className={styles.item}>
          <div>
            <ReturnLink obligation={obligation} companyId={companyId} />
            <Text size="small" tone="quiet">
              {obligation.received_on ? 'Filed ' : 'Due '}
              <DateText date={obligation.received_on ?? obligation.due_on} style="short" />
              {obligation.paid_on && (
                <>
                  , paid to you <DateText date={obligation.paid_on} style="short" />
                </>
              )}
            </Text>
          </div>
          <div className={styles.right}>
            <Amount obligation={obligation} />
          </div>
          <div>
            <StateChip {...getReturnChip(obligation)} />
          </div>
        </li>
      ))}
    </Stack>
  );
}
