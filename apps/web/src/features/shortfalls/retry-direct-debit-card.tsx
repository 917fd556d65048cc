/** Retries the collection after a Direct Debit failed or was charged back. The trader is notified again first. */
import { shortfallsApi } from '@portal/contract/shortfalls.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { sendWithIdempotencyKey } from '../../lib/idempotency-key.ts';
import { Button } from '../../ui/button.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import type { OperatorShortfallProps } from './operator-shortfall-props.ts';
import { useShortfallAction } from './use-shortfall-action.ts';

export function RetryDirectDebitCard({ data }: OperatorShortfallProps) {
  const { company, shortfall, retry } = data;
  const failedDebitId = shortfall.direct_debits[0]?.direct_debit_id ?? '';
  const send = useShortfallAction(data, (amount_pence: NonNullable<typeof retry>['amount_pence']) =>
    sendWithIdempotencyKey(`retry-direct-debit:${failedDebitId}`, (idempotencyKey) =>
      apiRequest(
        shortfallsApi.retryDirectDebit,
        { company_id: company.company_id, shortfall_id: shortfall.shortfall_id, amount_pence },
        { idempotencyKey },
      ),
    ),
  );
  if (!retry) return null;
  const amount = formatPounds(retry.amount_pence);
  return (
    <SectionCard title="Retry Direct Debit">
      <Stack>
        <Text measure>
          The last Direct Debit failed, and nothing will be collected automatically. If you retry, the trader gets an email now and {amount}{' '}
          is collected on or shortly after {formatDate(retry.charge_on)}.
        </Text>
        {send.error && (
          <Notice tone="error" title="Not retried" role="alert">
            {getErrorText(send.error)}
          </Notice>
        )}
        <div>
          <Button variant="outlined" isBusy={send.isPending} onClick={() => send.mutate(retry.amount_pence)}>
            Collect {amount} again
          </Button>
        </div>
      </Stack>
    </SectionCard>
  );
}
