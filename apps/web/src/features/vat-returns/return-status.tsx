/** The return's status in a sentence with its next step, at the top of the page. */
import { advancesApi } from '@portal/contract/advances.ts';
import type { VatReturnOutput } from '@portal/contract/vat-returns.ts';
import { formatPounds, pence } from '@portal/domain/money.ts';
import { addDays, formatDate } from '@portal/domain/plain-date.ts';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { apiQuery } from '../../lib/api.ts';
import { pageLink } from '../../lib/page-link.ts';
import { Notice } from '../../ui/notice.tsx';
import { OutcomeUnknown } from './outcome-unknown.tsx';

type ReturnStatusProps = { data: VatReturnOutput; companyId: string };

export function ReturnStatus({ data, companyId }: ReturnStatusProps): ReactNode {
  const { obligation } = data;
  switch (obligation.state) {
    case 'open_running':
      return (
        <Notice tone="info" title={`This period runs until ${formatDate(obligation.period_end)}`}>
          The figures below are what your books hold so far. You can file from {formatDate(addDays(obligation.period_end, 1))}, and must
          file by {formatDate(obligation.due_on)}.
        </Notice>
      );
    case 'no_books':
      return <NoBooks data={data} companyId={companyId} />;
    case 'ready':
      if (data.refusal !== null) {
        return (
          <Notice tone="warning" title="Your last try did not reach HMRC. Nothing was filed" role="status">
            {data.refusal}
          </Notice>
        );
      }
      return obligation.overdue ? (
        <Notice tone="error" title={`This return was due on ${formatDate(obligation.due_on)}`}>
          File it now: HMRC can add a penalty point for a late return, and pays no refund while one is missing.
        </Notice>
      ) : null;
    case 'filing':
      return (
        <Notice tone="info" title="Your return is being sent to HMRC" role="status">
          This takes a few seconds. You can leave this page; it will not be sent twice.
        </Notice>
      );
    case 'outcome_unknown':
      return <OutcomeUnknown companyId={companyId} obligationId={obligation.obligation_id} />;
    case 'refused':
      return (
        <Notice tone="error" title="HMRC refused this return. Nothing was filed">
          <Typography>{data.refusal ?? 'HMRC gave no reason.'}</Typography>
          <Typography sx={{ mt: 1 }}>
            Put right what HMRC names, then file again below. {obligation.overdue ? 'It was due on' : 'It must be filed by'}{' '}
            {formatDate(obligation.due_on)}.
          </Typography>
        </Notice>
      );
    case 'filed_awaiting_hmrc':
    case 'filed':
      return <Filed data={data} companyId={companyId} />;
    case 'filed_elsewhere':
      return <FiledElsewhere data={data} companyId={companyId} />;
  }
}

/** Shown for a return that was filed elsewhere, so we have no receipt. We can still buy the refund while HMRC owes it. */
function FiledElsewhere({ data, companyId }: ReturnStatusProps) {
  const { obligation, found } = data;
  const received = obligation.received_on ? `HMRC received it on ${formatDate(obligation.received_on)}. ` : '';
  return (
    <Notice tone="success" title="This return was filed with other software">
      <Typography>
        {found?.refund === 'open'
          ? `${found.finding} We can pay you the refund within 24 hours and wait for HMRC ourselves.`
          : `${found?.finding ?? received} There is nothing to do here. We hold no receipt for it, because it was not filed through us.`.trim()}
      </Typography>
      {found?.refund === 'open' ? (
        <Button
          component={Link}
          to={pageLink('advance', { company_id: companyId, obligation_id: obligation.obligation_id })}
          sx={{ mt: 1.5 }}
        >
          Get this refund early
        </Button>
      ) : null}
    </Notice>
  );
}

function NoBooks({ data, companyId }: ReturnStatusProps) {
  return (
    <Notice tone="warning" title="Your books hold nothing for this period">
      <Typography>
        Add a file with the period’s sales and purchases, and the nine boxes fill themselves. The return is due on{' '}
        {formatDate(data.obligation.due_on)}.
      </Typography>
      <Button component={Link} to={pageLink('stepBookkeeping', { company_id: companyId })} sx={{ mt: 1.5 }}>
        Add your books
      </Button>
    </Notice>
  );
}

function Filed({ data, companyId }: ReturnStatusProps) {
  const { boxes, obligation } = data;
  const found = useQuery({
    ...apiQuery(advancesApi.find, { company_id: companyId, obligation_id: obligation.obligation_id }),
    enabled: boxes?.direction === 'repayment',
  });
  // While this loads or if it fails, keep the link to the offer: that page shows the current state.
  const advance = found.data?.advance ?? undefined;
  const isUnderWay = !['quoted', 'expired', 'withdrawn'].includes(advance?.state ?? 'quoted');
  const awaiting = obligation.state === 'filed_awaiting_hmrc';
  return (
    <Notice tone="success" title={awaiting ? 'HMRC has accepted your return' : 'This return is filed'}>
      <Typography>
        {awaiting ? 'Its own list does not show it yet, which can take a day. You need do nothing. ' : ''}
        {describeFiledReturn(data, isUnderWay, advance?.received_pence ?? 0)}
      </Typography>
      {boxes?.direction === 'repayment' ? (
        <Button
          component={Link}
          to={pageLink('advance', { company_id: companyId, obligation_id: obligation.obligation_id })}
          sx={{ mt: 1.5 }}
        >
          {isUnderWay ? 'See how your early refund stands' : 'Get this refund early'}
        </Button>
      ) : null}
    </Notice>
  );
}

/** `receivedPence`: what HMRC has repaid so far of a refund that we bought. */
function describeFiledReturn({ boxes, obligation }: VatReturnOutput, isUnderWay: boolean, receivedPence: number): string {
  switch (boxes?.direction) {
    case 'repayment':
      if (receivedPence > 0) {
        const received = formatPounds(pence(receivedPence));
        return receivedPence < boxes.box5_pence
          ? `HMRC has repaid ${received} of the ${formatPounds(boxes.box5_pence)} that you claimed. Your early refund says what happens with the rest.`
          : `HMRC has repaid ${received} for it.`;
      }
      return isUnderWay
        ? `HMRC owes ${formatPounds(boxes.box5_pence)} for it, and you have accepted our offer.`
        : `HMRC owes you ${formatPounds(boxes.box5_pence)}. HMRC usually repays within 30 days; we can pay you within 24 hours.`;
    case 'payment':
      return `You owe HMRC ${formatPounds(boxes.box5_pence)}, to reach HMRC by ${formatDate(obligation.due_on)}.`;
    case 'nil':
      return 'There is nothing to pay or reclaim.';
    case undefined:
      return '';
  }
}
