/** Payments into a company's collection account, and what each one pays off. Wrong matches are corrected here. */
import { formatCurrency } from '@portal/domain/money.ts';
import { reconciliationExceptionsApi } from '@portal/contract/reconciliation-exceptions.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { InstantText } from '../../components/formats/date-text.tsx';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { LineSkeleton } from '../../ui/skeletons.tsx';
import { Text } from '../../ui/text.tsx';
import { AllocationFields } from './allocation-fields.tsx';
import {
  describeAllocations,
  findMatchProblem,
  suggestAmounts,
  toAllocations,
  type CompanyCredit,
  type CompanyCredits,
} from './exception-labels.ts';
import { getReasonError, ReasonField } from './reason-field.tsx';
import { REQUEST_SENT, useReconciliationAction } from './use-reconciliation-action.ts';
import { getMissingText } from '../../ui/submit-button.tsx';

export function CreditsCard({ companyId }: { companyId: string }) {
  const query = useQuery(apiQuery(reconciliationExceptionsApi.credits, { company_id: companyId }));
  const [openedCreditId, setOpened] = useState<string>();
  return (
    <SectionCard title="Payments received">
      <LoadState query={query} skeleton={<LineSkeleton width="60%" height={24} />}>
        {(data) => {
          const credit = data.credits.find(({ credit_id }) => credit_id === openedCreditId);
          return (
            <>
              {data.credits.length === 0 ? (
                <Text>No payments have reached the collection account yet.</Text>
              ) : (
                <Stack as="ul" gap={12} aria-label="Payments received">
                  {data.credits.map((item) => (
                    <CreditRow key={item.credit_id} data={data} credit={item} change={() => setOpened(item.credit_id)} />
                  ))}
                </Stack>
              )}
              {credit && (
                <ChangeMatchDialog
                  key={openedCreditId}
                  data={data}
                  credit={credit}
                  companyId={companyId}
                  onClose={() => setOpened(undefined)}
                />
              )}
            </>
          );
        }}
      </LoadState>
    </SectionCard>
  );
}

function CreditRow({ data, credit, change }: { data: CompanyCredits; credit: CompanyCredit; change: () => void }) {
  const amount = formatCurrency(credit.amount_pence, credit.currency);
  const canChange = credit.returned_at === null && credit.currency === 'GBP' && credit.amount_pence > 0;
  return (
    <li>
      <Text weight="medium">
        {amount} from {credit.remitter}
      </Text>
      <Text size="small" tone="quiet">
        <InstantText at={credit.received_at} /> · {describeAllocations(data, credit.credit_id)}
        {credit.awaits_approval && ' · Waiting for approval'}
      </Text>
      {canChange && (
        <Button variant="outlined" size="small" onClick={change}>
          Change match
          <HiddenText> of {amount}</HiddenText>
        </Button>
      )}
    </li>
  );
}

type ChangeMatchDialogProps = { data: CompanyCredits; credit: CompanyCredit; companyId: string; onClose: () => void };

function ChangeMatchDialog({ data, credit, companyId, onClose }: ChangeMatchDialogProps) {
  const [amounts, setAmounts] = useState(() =>
    suggestAmounts(
      credit,
      data.targets.filter(({ outstanding_pence }) => outstanding_pence > 0),
    ),
  );
  const [reason, setReason] = useState('');
  const input = { company_id: companyId, credit_id: credit.credit_id, reason: reason.trim(), allocations: toAllocations(amounts) };
  const save = useReconciliationAction(() => apiRequest(reconciliationExceptionsApi.allocate, input), REQUEST_SENT, onClose);
  return (
    <ConfirmDialog
      heading={`Change match for ${formatCurrency(credit.amount_pence, credit.currency)}`}
      mutation={save}
      onConfirm={() => save.mutate()}
      onClose={onClose}
      confirmLabel="Request change"
      missing={getMissingText([findMatchProblem(credit, data.targets, amounts), getReasonError(reason)])}
      errorTitle="Not saved"
      wide
    >
      <Text>
        From {credit.remitter}, reference “{credit.reference}”. Now: {describeAllocations(data, credit.credit_id)}. Clear an amount to
        unmatch it. The ledger shows both the old match and the change.
      </Text>
      <AllocationFields credit={credit} targets={data.targets} amounts={amounts} onChange={setAmounts} />
      <ReasonField
        id="change-match-reason"
        hint="Saved with your name. Someone else must approve the request."
        value={reason}
        onChange={setReason}
      />
    </ConfirmDialog>
  );
}
