/** GoCardless's payouts to our bank account, to be matched with the bank statement. Renders nothing if there are none. */
import { reconciliationExceptionsApi } from '@portal/contract/reconciliation-exceptions.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { InstantText } from '../../components/formats/date-text.tsx';
import { MoneyText } from '../../components/formats/money-text.tsx';
import { apiQuery } from '../../lib/api.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { Button } from '../../ui/button.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Pager } from '../../ui/pager.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Table } from '../../ui/table.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { CheckPayoutDialog } from './check-payout-dialog.tsx';
import type { DirectDebitPayout } from './operator-outputs.ts';
import { RecordCards } from '../../ui/record-cards.tsx';
import { TOO_NARROW_FOR_ACTIONS, useMediaQuery } from '../../lib/use-media-query.ts';

export function DirectDebitPayoutsCard() {
  const [page, setPage] = useState(1);
  const [openedPayoutId, setOpened] = useState<string>();
  const { data } = useQuery({ ...apiQuery(reconciliationExceptionsApi.directDebitPayouts, { page }), placeholderData: keepPreviousData });
  if (!data || (data.count === 0 && data.in_transit_pence === 0)) return null;
  const { unchecked_count: uncheckedCount, in_transit_pence: inTransitAmount } = data;
  return (
    <SectionCard title="Direct Debits paid out by GoCardless">
      <Stack>
        <Text measure>
          {uncheckedCount === 0
            ? 'Every payout has been found on the bank statement.'
            : `Not found on the bank statement yet: ${uncheckedCount}.`}
          {inTransitAmount > 0 && ` ${formatPounds(inTransitAmount)} has been collected but not yet paid out.`}
          {inTransitAmount < 0 && ` GoCardless will withhold ${formatPounds(inTransitAmount)} from later payouts.`}
        </Text>
        {data.count > 0 && (
          <>
            <PayoutTable payouts={data.payouts} check={setOpened} />
            <Pager page={page} pages={data.pages} count={data.count} noun={data.count === 1 ? 'payout' : 'payouts'} onPage={setPage} />
          </>
        )}
      </Stack>
      <CheckPayoutDialog payout={data.payouts.find(({ payout_id }) => payout_id === openedPayoutId)} onClose={() => setOpened(undefined)} />
    </SectionCard>
  );
}

type PayoutTableProps = { payouts: readonly DirectDebitPayout[]; check: (payoutId: string) => void };

function PayoutTable({ payouts, check }: PayoutTableProps) {
  const showsCards = useMediaQuery(TOO_NARROW_FOR_ACTIONS);
  if (showsCards) {
    return (
      <RecordCards
        label="GoCardless’s payouts"
        cards={payouts.map((payout) => ({
          key: payout.payout_id,
          title: payout.reference,
          facts: [
            { label: 'Arrives', value: formatArrival(payout) },
            { label: 'Made up of', value: <Items items={payout.items} /> },
            { label: 'Collected', value: formatPounds(payout.gross_pence) },
            { label: 'Fees', value: formatPounds(payout.fee_pence) },
            { label: 'Paid to us', value: formatPounds(payout.net_pence) },
          ],
          action: <StatementCell payout={payout} check={() => check(payout.payout_id)} />,
        }))}
      />
    );
  }
  return (
    <Table label="GoCardless’s payouts" dense flush>
      <thead>
        <tr>
          <th scope="col">Arrives</th>
          <th scope="col">Reference</th>
          <th scope="col">Made up of</th>
          <th scope="col" data-numeric>
            Collected
          </th>
          <th scope="col" data-numeric>
            Fees
          </th>
          <th scope="col" data-numeric>
            Paid to us
          </th>
          <th scope="col">Bank statement</th>
        </tr>
      </thead>
      <tbody>
        {payouts.map((payout) => (
          <tr key={payout.payout_id}>
            <td data-nowrap>{formatArrival(payout)}</td>
            <th scope="row" data-nowrap>
              {payout.reference}
            </th>
            <td data-sentence>
              <Items items={payout.items} />
            </td>
            <td data-numeric>
              <MoneyText pence={payout.gross_pence} size="table" />
            </td>
            <td data-numeric>
              <MoneyText pence={payout.fee_pence} size="table" />
            </td>
            <td data-numeric>
              <MoneyText pence={payout.net_pence} size="table" />
            </td>
            <td>
              <StatementCell payout={payout} check={() => check(payout.payout_id)} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

const formatArrival = ({ arrives_on: day }: DirectDebitPayout): string => (day === null ? 'Not known yet' : formatDate(day, 'short'));

const ITEM_LABELS: Readonly<Record<string, string>> = {
  payment_paid_out: 'collected',
  payment_failed: 'withheld: failed after an earlier payout',
  payment_charged_back: 'withheld: charged back',
};

/** The payout's Direct Debits, with the fees in their own column. */
function Items({ items }: Pick<DirectDebitPayout, 'items'>) {
  const shownItems = items.filter(({ type, debit }) => type in ITEM_LABELS || debit === null);
  return (
    <Stack as="ul" gap={0}>
      {shownItems.map(({ type, amount_pence, payment_id, debit }, index) => (
        <li key={`${payment_id}${type}${index}`}>
          {debit === null ? (
            payment_id
          ) : (
            <TextLink to={getPageLink('adminShortfall', { company_id: debit.company_id, shortfall_id: debit.shortfall_id })}>
              {debit.company_name}
            </TextLink>
          )}{' '}
          {formatPounds(amount_pence)} {ITEM_LABELS[type] ?? type}
        </li>
      ))}
    </Stack>
  );
}

function StatementCell({ payout, check }: { payout: DirectDebitPayout; check: () => void }) {
  if (payout.status === 'pending') return <StateChip label="In progress" icon="clock" tone="info" />;
  if (payout.status === 'bounced') return <StateChip label="Returned by our bank" icon="warning" tone="error" />;
  const isFound = payout.check?.statement_pence === payout.net_pence;
  return (
    <Stack gap={4}>
      {payout.problem !== null && (
        <Text size="small" tone="error">
          Not posted to the ledger. {payout.problem}
        </Text>
      )}
      {payout.check !== null && (
        <>
          <div>
            <StateChip
              {...(isFound
                ? { label: 'Found', icon: 'check', tone: 'success' }
                : { label: `Statement shows ${formatPounds(payout.check.statement_pence)}`, icon: 'warning', tone: 'error' })}
            />
          </div>
          <Text size="small" tone="quiet">
            {formatDate(payout.check.statement_on, 'short')}, by {payout.check.by}, <InstantText at={payout.check.at} />
          </Text>
        </>
      )}
      {!isFound && (
        <div>
          <Button variant="outlined" size="small" onClick={check}>
            Check<HiddenText> payout {payout.reference}</HiddenText>
          </Button>
        </div>
      )}
    </Stack>
  );
}
