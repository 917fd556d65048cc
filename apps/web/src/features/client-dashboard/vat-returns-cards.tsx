/** A client's books, either connected or as a file, and the returns prepared from them. */
import { clientReturnsApi, type ListedReturn } from '@portal/contract/client-returns.ts';
import { useQuery } from '@tanstack/react-query';
import { DateText } from '../../components/formats/date-text.tsx';
import { getClientReturnChip } from '../../components/vat-returns/return-chips.ts';
import { apiQuery } from '../../lib/api.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { periodText } from '../../lib/period-text.ts';
import { LoadState } from '../../ui/load-state.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { TableSkeleton } from '../../ui/skeletons.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { ClientBooksConnection } from './client-books-connection.tsx';
import { ClientBooksFile } from './client-books-file.tsx';
import { toClientInput, type ClientIds } from './client-page.ts';
import { SmallTable, type SmallColumn } from './small-table.tsx';

export function VatReturnsCards({ ids }: { ids: ClientIds }) {
  const query = useQuery(apiQuery(clientReturnsApi.list, toClientInput(ids)));
  return (
    <>
      <SectionCard title="Prepare VAT returns">
        <LoadState query={query} skeleton={<TableSkeleton rows={3} />}>
          {({ returns }) => <ReturnList ids={ids} returns={returns} />}
        </LoadState>
      </SectionCard>
      <ClientBooksConnection ids={ids} />
      <ClientBooksFile ids={ids} />
    </>
  );
}

/** Open returns, earliest due first, and the latest filed return. The year's table lists the rest. */
function ReturnList({ ids, returns }: { ids: ClientIds; returns: readonly ListedReturn[] }) {
  const openReturns = returns.filter(({ status }) => status === 'open').toReversed();
  const newestFiled = returns.find(({ status }) => status === 'fulfilled');
  const shownReturns = newestFiled ? [...openReturns, newestFiled] : openReturns;
  if (shownReturns.length === 0) {
    return <Text tone="quiet">We don’t have HMRC’s list of returns yet. Refresh the client’s VAT from HMRC first.</Text>;
  }
  return <SmallTable label="VAT returns to prepare" columns={listColumns(ids)} rows={shownReturns} getKey={(row) => row.obligation_id} />;
}

const listColumns = ({ companyId, clientId }: ClientIds): readonly SmallColumn<ListedReturn>[] => [
  {
    title: 'Period',
    cell: (row) => (
      <TextLink to={getPageLink('clientVatReturn', { company_id: companyId, client_id: clientId, obligation_id: row.obligation_id })}>
        {periodText(row.period_start, row.period_end, 'short')}
      </TextLink>
    ),
  },
  { title: 'Due', cell: (row) => <DateText date={row.due_on} /> },
  { title: 'Status', cell: (row) => <StateChip {...getClientReturnChip(row.state, row.approval)} /> },
];
