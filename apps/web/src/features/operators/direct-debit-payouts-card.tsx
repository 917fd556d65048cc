/** GoCardless's payouts to our bank account, to be matched with the bank statement. Renders nothing if there are none. */
import { reconciliationExceptionsApi } from '@portal/contract/reconciliation-exceptions.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { InstantText } from '../../components/formats/date-text.tsx';
import { apiQuery } from '../../lib/api.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { Button } from '../../ui/button.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Pager } from '../../ui/pager.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { CheckPayoutDialog } from './check-payout-dialog.tsx';
import type { DirectDebitPayout } from './operator-outputs.ts';
import { RecordTable } from '../../ui/record-table.tsx';
import { TOO_NARROW_FOR_ACTIONS } from '../../lib/use-media-query.ts';

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
  return (
    <RecordTable
      label="GoCardless’s payouts"
      rows={payouts}
      getKey={(payout) => payout.payout_id}
      cardsAt={TOO_NARROW_FOR_ACTIONS}
      columns={[
        { title: 'Reference', layout: 'nowrap', cell: ({ reference }) => reference },
        { title: 'Arrives', layout: 'nowrap', cell: formatArrival },
        { title: 'Made up of', layout: 'sentence', cell: ({ items }) => <Items items={items} /> },
        { title: 'Collected', layout: 'numeric', cell: (payout) => formatPounds(payout.gross_pence) },
        { title: 'Fees', layout: 'numeric', cell: (payout) => formatPounds(payout.fee_pence) },
        { title: 'Paid to us', layout: 'numeric', cell: (payout) => formatPounds(payout.net_pence) },
        { title: 'Bank statement', cell: (payout) => <StatementCell payout={payout} check={() => check(payout.payout_id)} /> },
      ]}
    />
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
