/** The returns that HMRC expects or has received, newest first, each linked to its page. The filter chip is stored in the URL. */
import type { DashboardOutput } from '@portal/contract/dashboard.ts';
import { Link, useSearchParams } from 'react-router';
import { pageLink } from '../../lib/page-link.ts';
import { periodText } from '../../lib/period-text.ts';
import { TOO_NARROW_FOR_TABLE, useMediaQuery } from '../../lib/use-media-query.ts';
import { DateText, InstantText } from '../../ui/date-text.tsx';
import { FilterChips } from '../../ui/filter-chips.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { describeObligation, GROUP_LABELS, getObligationGroup, OBLIGATION_GROUPS, type Obligation } from './return-labels.ts';

const QUERY_NAME = 'returns';

export function ObligationsCard({ data }: { data: DashboardOutput }) {
  const [search] = useSearchParams();
  const chosen = OBLIGATION_GROUPS.find((group) => group === search.get(QUERY_NAME));
  const narrow = useMediaQuery(TOO_NARROW_FOR_TABLE);
  const newestFirst = data.obligations.toSorted((a, b) => (a.period_end < b.period_end ? 1 : -1));
  const shown = newestFirst.filter((obligation) => chosen === undefined || getObligationGroup(obligation) === chosen);
  const List = narrow ? ObligationList : ObligationTable;
  return (
    <SectionCard
      title="VAT returns"
      source={
        data.hmrc.as_of ? (
          <>
            HMRC, <InstantText at={data.hmrc.as_of} />
          </>
        ) : undefined
      }
    >
      {data.obligations.length === 0 ? (
        <p className="p-text">
          {data.hmrc.as_of
            ? 'HMRC holds no VAT return for this company, neither expected nor filed.'
            : 'The returns appear here once HMRC is connected and has been read.'}
        </p>
      ) : (
        <>
          <FilterChips
            label="Show returns"
            name={QUERY_NAME}
            selected={chosen}
            all={{ label: 'All', count: newestFirst.length }}
            options={OBLIGATION_GROUPS.map((group) => ({
              value: group,
              label: GROUP_LABELS[group],
              count: newestFirst.filter((obligation) => getObligationGroup(obligation) === group).length,
            }))}
          />
          {shown.length === 0 ? (
            <p className="p-returns-none">No return is {GROUP_LABELS[chosen ?? 'filed'].toLowerCase().replace('hmrc', 'HMRC')}.</p>
          ) : (
            <List obligations={shown} companyId={data.company.company_id} />
          )}
        </>
      )}
    </SectionCard>
  );
}

type ListProps = { obligations: readonly Obligation[]; companyId: string };

function ReturnLink({ obligation, companyId }: { obligation: Obligation; companyId: string }) {
  return (
    <Link className="p-link p-return-link" to={pageLink('vatReturn', { company_id: companyId, obligation_id: obligation.obligation_id })}>
      {describeObligation(obligation).action}
      <HiddenText> for {periodText(obligation.period_start, obligation.period_end)}</HiddenText>
    </Link>
  );
}

function ObligationTable({ obligations, companyId }: ListProps) {
  return (
    <div className="p-table-box">
      <table className="p-table" aria-label="VAT returns">
        <thead>
          <tr>
            <th scope="col">Period</th>
            <th scope="col">Due</th>
            <th scope="col">Where it stands</th>
            <th scope="col">Next step</th>
          </tr>
        </thead>
        <tbody>
          {obligations.map((obligation) => (
            <tr key={obligation.obligation_id}>
              <th scope="row">{periodText(obligation.period_start, obligation.period_end, 'short')}</th>
              <td>
                <DateText date={obligation.due_on} style="short" />
              </td>
              <td>
                <StateChip {...describeObligation(obligation).chip} />
                {obligation.received_on ? (
                  <p className="p-quiet">
                    Received <DateText date={obligation.received_on} style="short" />
                  </p>
                ) : null}
              </td>
              <td>
                <ReturnLink obligation={obligation} companyId={companyId} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function ObligationList({ obligations, companyId }: ListProps) {
  return (
    <ul className="p-returns" aria-label="VAT returns">
      {obligations.map((obligation) => (
        <li key={obligation.obligation_id}>
          <p className="p-returns-period">{periodText(obligation.period_start, obligation.period_end, 'short')}</p>
          <StateChip {...describeObligation(obligation).chip} />
          <p className="p-small p-quiet">
            Due <DateText date={obligation.due_on} style="short" />
            {obligation.received_on ? (
              <>
                , received <DateText date={obligation.received_on} style="short" />
              </>
            ) : null}
          </p>
          <ReturnLink obligation={obligation} companyId={companyId} />
        </li>
      ))}
    </ul>
  );
}
