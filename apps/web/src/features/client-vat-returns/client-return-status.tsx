/** The status of a client's return in one sentence, with the next step. Shown at the top of the page. */
import type { VatReturnOutput } from '@portal/contract/vat-returns.ts';
import { addDays, formatDate } from '@portal/domain/plain-date.ts';
import type { ReactNode } from 'react';
import { OutcomeUnknown } from '../../components/vat-returns/outcome-unknown.tsx';
import { CLIENT_BOOKS_ID } from '../../lib/client-labels.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { useChangedTo } from '../../lib/use-changed-to.ts';
import { Button } from '../../ui/button.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ResultPanel } from '../../ui/result-panel.tsx';
import { Text } from '../../ui/text.tsx';
import type { ClientReturnTarget } from './client-return-target.ts';

export function ClientReturnStatus({ data, input }: { data: VatReturnOutput; input: ClientReturnTarget }): ReactNode {
  const { obligation, refusal } = data;
  const isNew = useChangedTo(obligation.state, ['filed', 'filed_awaiting_hmrc', 'outcome_unknown', 'refused']);
  switch (obligation.state) {
    case 'open_running':
      return (
        <Notice tone="info" title={`This period runs until ${formatDate(obligation.period_end)}`}>
          The figures are based on the books so far. You can send them for approval and file from{' '}
          {formatDate(addDays(obligation.period_end, 1))}.
        </Notice>
      );
    case 'no_books':
      return (
        <Notice tone="warning" title="The books have no transactions for this period">
          <Stack gap={12} align="start">
            <Text measure>
              Upload a file with the period’s sales and purchases, and we’ll fill in the nine boxes. The return is due on{' '}
              {formatDate(obligation.due_on)}.
            </Text>
            <Button
              to={`${getPageLink('clientDashboard', { company_id: input.company_id, client_id: input.client_id, tab: 'vat' })}#${CLIENT_BOOKS_ID}`}
            >
              Upload books
            </Button>
          </Stack>
        </Notice>
      );
    case 'ready':
      if (refusal !== null) {
        return (
          <Notice tone="warning" title="The last attempt didn’t reach HMRC. Nothing was filed" role="status">
            {refusal}
          </Notice>
        );
      }
      return obligation.overdue ? (
        <Notice tone="error" title={`This return was due on ${formatDate(obligation.due_on)}`}>
          HMRC may add a penalty point for a late return, and won’t pay refunds while one is outstanding.
        </Notice>
      ) : null;
    case 'filing':
      return (
        <Notice tone="info" title="We’re sending the return to HMRC" role="status">
          This takes a few seconds. You can leave this page. We won’t send it twice.
        </Notice>
      );
    case 'outcome_unknown':
      return <OutcomeUnknown input={input} isNew={isNew} />;
    case 'refused':
      return (
        <ResultPanel tone="error" title="HMRC rejected this return. Nothing was filed" isNew={isNew}>
          <Text>{refusal ?? 'HMRC gave no reason.'}</Text>
        </ResultPanel>
      );
    case 'filed_awaiting_hmrc':
    case 'filed':
      return (
        <ResultPanel
          tone="success"
          title={obligation.state === 'filed' ? 'This return is filed' : 'HMRC has accepted this return'}
          isNew={isNew}
        >
          <Text>
            We’ve emailed the receipt to the client. It’s also in the client portal.
            {obligation.state === 'filed_awaiting_hmrc' && ' HMRC’s records may take a day to update.'}
          </Text>
        </ResultPanel>
      );
    case 'filed_elsewhere':
      return (
        <Notice tone="info" title="This return was filed with other software">
          {obligation.received_on ? `HMRC received it on ${formatDate(obligation.received_on)}.` : ''} You don’t need to do anything here.
        </Notice>
      );
  }
}
