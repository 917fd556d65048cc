/** Direct Debits that GoCardless has paid out, for checking against the bank statement. Nothing until there is one. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { reconciliationExceptionsApi } from '@portal/contract/reconciliation-exceptions.ts';
import { londonDate } from '@portal/domain/clock.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { MoneyText } from '../../components/formats/money-text.tsx';
import { apiQuery } from '../../lib/api.ts';
import { pageLink } from '../../lib/page-link.ts';
import { Stack } from '../../ui/layout.tsx';
import { Pager } from '../../ui/pager.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Table } from '../../ui/table.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';

type Payouts = EndpointOutput<typeof reconciliationExceptionsApi.directDebitPayouts>;

export function DirectDebitPayoutsCard() {
  const [page, setPage] = useState(1);
  const { data } = useQuery({ ...apiQuery(reconciliationExceptionsApi.directDebitPayouts, { page }), placeholderData: keepPreviousData });
  if (!data || (data.count === 0 && data.in_transit_pence === 0)) return null;
  return (
    <SectionCard title="Direct Debits paid out by GoCardless">
      <Stack>
        <Text measure>
          The ledger counts these as cash. Check that each arrived in your bank account: one payout on the bank statement can hold several.
          {data.in_transit_pence > 0 && ` ${formatPounds(data.in_transit_pence)} is collected and not yet paid out.`}
        </Text>
        {data.count > 0 && (
          <>
            <PayoutTable payouts={data.direct_debits} />
            <Pager
              page={page}
              pages={data.pages}
              count={data.count}
              noun={`${data.count === 1 ? 'Direct Debit' : 'Direct Debits'}, ${formatPounds(data.amount_pence)} in all`}
              onPage={setPage}
            />
          </>
        )}
      </Stack>
    </SectionCard>
  );
}

function PayoutTable({ payouts }: { payouts: Payouts['direct_debits'] }) {
  return (
    <Table label="Direct Debits paid out" dense flush>
      <thead>
        <tr>
          <th scope="col">Paid out</th>
          <th scope="col">Company</th>
          <th scope="col">Payment at GoCardless</th>
          <th scope="col" data-numeric>
            Amount
          </th>
        </tr>
      </thead>
      <tbody>
        {payouts.map((debit) => (
          <tr key={debit.direct_debit_id}>
            <td data-nowrap>{formatDate(londonDate(debit.paid_out_at), 'short')}</td>
            <th scope="row" data-nowrap>
              <TextLink to={pageLink('adminShortfall', { company_id: debit.company_id, shortfall_id: debit.shortfall_id })}>
                {debit.company_name}
              </TextLink>
            </th>
            <td data-nowrap>{debit.payment_id}</td>
            <td data-numeric>
              <MoneyText pence={debit.amount_pence} size="table" />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
