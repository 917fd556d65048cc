/** The return's status in a sentence, with the next step, at the top of the page. Shows the result after filing. */
import { advancesApi } from '@portal/contract/advances.ts';
import type { VatReturnOutput } from '@portal/contract/vat-returns.ts';
import { formatPounds, pence } from '@portal/domain/money.ts';
import { addDays, formatDate } from '@portal/domain/plain-date.ts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { apiQuery } from '../../lib/api.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { useChangedTo } from '../../lib/use-changed-to.ts';
import { Button } from '../../ui/button.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ResultPanel } from '../../ui/result-panel.tsx';
import { Text } from '../../ui/text.tsx';
import { getPayoutAmount } from '../../components/advances/payout-amount.ts';
import { OutcomeUnknown } from '../../components/vat-returns/outcome-unknown.tsx';

type ReturnStatusProps = { data: VatReturnOutput; companyId: string };
type ResultProps = ReturnStatusProps & { isNew: boolean };

export function ReturnStatus({ data, companyId }: ReturnStatusProps): ReactNode {
  const { obligation } = data;
  const isNew = useChangedTo(obligation.state, ['filed', 'filed_awaiting_hmrc', 'outcome_unknown', 'refused']);
  switch (obligation.state) {
    case 'open_running':
      return (
        <Notice tone="info" title={`This period runs until ${formatDate(obligation.period_end)}`}>
          The figures below are from your books so far. You can file from {formatDate(addDays(obligation.period_end, 1))}, and must file by{' '}
          {formatDate(obligation.due_on)}.
        </Notice>
      );
    case 'no_books':
      return <NoBooks data={data} companyId={companyId} />;
    case 'ready':
      if (data.refusal !== null) {
        return (
          <Notice tone="warning" title="Your last attempt didn’t reach HMRC. Nothing was filed" role="status">
            {data.refusal}
          </Notice>
        );
      }
      return obligation.overdue ? (
        <Notice tone="error" title={`This return was due on ${formatDate(obligation.due_on)}`}>
          File it now. HMRC may add a penalty point for a late return, and won’t pay refunds while one is outstanding.
        </Notice>
      ) : null;
    case 'filing':
      return (
        <Notice tone="info" title="We’re sending your return to HMRC" role="status">
          This takes a few seconds. You can leave this page. We won’t send it twice.
        </Notice>
      );
    case 'outcome_unknown':
      return <OutcomeUnknown input={{ company_id: companyId, obligation_id: obligation.obligation_id }} isNew={isNew} />;
    case 'refused':
      return (
        <ResultPanel tone="error" title="HMRC rejected this return. Nothing was filed" isNew={isNew}>
          <Text>{data.refusal ?? 'HMRC gave no reason.'}</Text>
          <Text>
            Fix what HMRC’s message says, then file again below. {obligation.overdue ? 'It was due on' : 'You must file by'}{' '}
            {formatDate(obligation.due_on)}.
          </Text>
        </ResultPanel>
      );
    case 'filed_awaiting_hmrc':
    case 'filed':
      return <Filed data={data} companyId={companyId} isNew={isNew} />;
    case 'filed_elsewhere':
      return <FiledElsewhere data={data} companyId={companyId} />;
  }
}

const OFFER_INTERVAL_MS = 2_000;
const MAX_OFFER_READS = 8;

/** Shown for a return filed elsewhere, for which we have no receipt. We can still buy the refund while HMRC owes it. */
function FiledElsewhere({ data, companyId }: ReturnStatusProps) {
  const { obligation, found, settled } = data;
  const { advance, isUnderWay } = useAdvance(data, companyId, false);
  const receivedText = obligation.received_on ? `HMRC received it on ${formatDate(obligation.received_on)}. ` : '';
  const isOpen = found?.refund === 'open' && !settled;
  return (
    <Notice tone="info" title="This return was filed with other software">
      <Stack gap={12} align="start">
        <Text measure>
          {isUnderWay
            ? describeFiledReturn(data, isUnderWay, advance?.received_pence ?? 0)
            : isOpen
              ? `${found.finding} We can pay you the refund early, so you don’t have to wait for HMRC.`
              : `${found?.finding ?? receivedText} You don’t need to do anything here. We have no receipt, because it wasn’t filed through us.`.trim()}
        </Text>
        {(isUnderWay || isOpen) && (
          <Button
            to={getPageLink('advance', { company_id: companyId, obligation_id: obligation.obligation_id })}
            variant={isUnderWay ? 'outlined' : 'filled'}
          >
            {isUnderWay ? 'See your early refund' : 'Get this refund early'}
          </Button>
        )}
      </Stack>
    </Notice>
  );
}

function NoBooks({ data, companyId }: ReturnStatusProps) {
  return (
    <Notice tone="warning" title="Your books have no transactions for this period">
      <Stack gap={12} align="start">
        <Text measure>
          Upload a file with the period’s sales and purchases, and we’ll fill in the nine boxes. The return is due on{' '}
          {formatDate(data.obligation.due_on)}.
        </Text>
        <Button to={getPageLink('stepBookkeeping', { company_id: companyId })}>Add your books</Button>
      </Stack>
    </Notice>
  );
}

function Filed({ data, companyId, isNew }: ResultProps) {
  const { boxes, obligation } = data;
  const { advance, isUnderWay } = useAdvance(data, companyId, isNew);
  const isOffer = advance?.state === 'quoted' && advance.eligible;
  const isDeclined = advance?.state === 'declined';
  const isAwaitingHmrc = obligation.state === 'filed_awaiting_hmrc' && !data.settled;
  return (
    <ResultPanel tone="success" title={isAwaitingHmrc ? 'HMRC has accepted your return' : 'This return is filed'} isNew={isNew}>
      <Text measure>
        {describeFiledReturn(data, isUnderWay, advance?.received_pence ?? 0)}
        {isDeclined && ' We declined to pay it early.'}
        {isOffer && ` Accept our offer and get ${formatPounds(getPayoutAmount(advance))} early, usually within 24 hours of our checks.`}
        {isAwaitingHmrc && ' HMRC’s records may take a day to update.'}
        {isNew && data.receipt && ' Your receipt is below, and we keep it for six years.'}
      </Text>
      {boxes?.direction === 'repayment' && (isUnderWay || !data.settled) && (
        <Button
          to={getPageLink('advance', { company_id: companyId, obligation_id: obligation.obligation_id })}
          variant={isUnderWay || isDeclined ? 'outlined' : 'filled'}
        >
          {isUnderWay ? 'See your early refund' : isDeclined ? 'See our decision' : 'Get this refund early'}
        </Button>
      )}
    </ResultPanel>
  );
}

/** Until the response arrives, the status links to the offer, whose page shows the current state. */
function useAdvance({ boxes, obligation }: VatReturnOutput, companyId: string, isNew: boolean) {
  const query = useQuery({
    ...apiQuery(advancesApi.find, { company_id: companyId, obligation_id: obligation.obligation_id }),
    enabled: boxes?.direction === 'repayment',
    // The offer arrives within seconds of filing.
    refetchInterval: ({ state }) =>
      isNew && state.data?.advance === null && state.dataUpdateCount < MAX_OFFER_READS ? OFFER_INTERVAL_MS : false,
  });
  const advance = query.data?.advance ?? undefined;
  return { advance, isUnderWay: advance !== undefined && !['quoted', 'expired', 'withdrawn', 'declined'].includes(advance.state) };
}

/** `receivedPence`: how much of a refund that we bought HMRC has repaid so far. */
function describeFiledReturn({ boxes, obligation, settled }: VatReturnOutput, isUnderWay: boolean, receivedPence: number): string {
  if (boxes === null) return '';
  const amount = formatPounds(boxes.box5_pence);
  switch (boxes.direction) {
    case 'repayment':
      if (receivedPence > 0) {
        const receivedText = formatPounds(pence(receivedPence));
        return receivedPence < boxes.box5_pence
          ? `HMRC has repaid ${receivedText} of the ${amount} you claimed. Open your early refund to see what happens to the rest.`
          : `HMRC has repaid ${receivedText}.`;
      }
      if (settled) return `HMRC has repaid ${amount}.`;
      return isUnderWay
        ? `HMRC owes ${amount}, and you’ve accepted our offer.`
        : `HMRC owes you ${amount}, and usually repays within 30 days.`;
    case 'payment':
      return settled
        ? `You’ve paid HMRC ${amount}.`
        : `You owe HMRC ${amount}. Your payment must reach HMRC by ${formatDate(obligation.due_on)}.`;
    case 'nil':
      return 'There’s nothing to pay or reclaim.';
  }
}
