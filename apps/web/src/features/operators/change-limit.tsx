/** Requests a different exposure limit. It applies once another operator approves it. */
import { operatorCompaniesApi } from '@portal/contract/operator-companies.ts';
import { formatPounds, type Pence } from '@portal/domain/money.ts';
import { useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { FieldFrame } from '../../ui/form-field.tsx';
import { TextInput } from '../../ui/input.tsx';
import { Stack } from '../../ui/layout.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Text } from '../../ui/text.tsx';
import { getMissingText, SubmitButton } from '../../ui/submit-button.tsx';
import { getReasonError, ReasonField } from './reason-field.tsx';
import { useApprovalRequest } from './use-approval-request.ts';

/** `company`: null for the limit across all companies. */
type ChangeLimitProps = { company: { company_id: string; name: string } | null; limit: Pence };

export function ChangeLimit({ company, limit }: ChangeLimitProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div>
      <Button size="small" variant="outlined" onClick={() => setIsOpen(true)}>
        Change limit
      </Button>
      {isOpen && <LimitDialog company={company} limit={limit} onClose={() => setIsOpen(false)} />}
    </div>
  );
}

function LimitDialog({ company, limit, onClose }: ChangeLimitProps & { onClose: () => void }) {
  const [pounds, setPounds] = useState('');
  const [reason, setReason] = useState('');
  const amount = parsePounds(pounds);
  const amountError =
    amount === undefined
      ? 'Enter the new limit in whole pounds, for example 250,000.'
      : amount === limit
        ? `The limit is already ${formatPounds(limit)}.`
        : undefined;
  const send = useApprovalRequest({
    send: (limit_pence: number) =>
      apiRequest(operatorCompaniesApi.changeLimit, { company_id: company?.company_id ?? null, limit_pence, reason }),
    onClose,
  });
  return (
    <ModalDialog
      open
      small
      heading="Change exposure limit"
      loading={send.isPending}
      onClose={onClose}
      actions={
        <SubmitButton
          missing={getMissingText([amountError, getReasonError(reason)])}
          isBusy={send.isPending}
          onClick={() => amount !== undefined && send.mutate(amount)}
        >
          Request approval
        </SubmitButton>
      }
    >
      <Stack>
        <Text>
          The limit {company ? `for ${company.name}` : 'for all companies together'} is {formatPounds(limit)}. Another operator must approve
          the change.
        </Text>
        <FieldFrame id="new-limit" label="New limit in pounds">
          <TextInput
            id="new-limit"
            inputMode="numeric"
            widthInCharacters={14}
            value={pounds}
            onChange={(event) => setPounds(event.target.value)}
          />
        </FieldFrame>
        <ReasonField id="limit-reason" value={reason} onChange={setReason} />
        {send.error && (
          <Text role="alert" tone="error">
            {getErrorText(send.error)}
          </Text>
        )}
      </Stack>
    </ModalDialog>
  );
}

/** Parses whole pounds such as "£250,000" to pence. Returns undefined for anything else. */
function parsePounds(text: string): number | undefined {
  const digits = text.trim().replace(/^£/u, '').replaceAll(',', '');
  return /^\d{1,10}$/u.test(digits) ? Number(digits) * 100 : undefined;
}
