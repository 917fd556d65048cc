/** Says that another company is connected for this company's VAT number, and requests the move. It applies once another operator approves it. */
import { operatorCompaniesApi } from '@portal/contract/operator-companies.ts';
import { useState } from 'react';
import { InstantText } from '../../components/formats/date-text.tsx';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { Button } from '../../ui/button.tsx';
import { Stack } from '../../ui/layout.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import type { CompanyData } from './company-tables.tsx';
import { getReasonError, ReasonField } from './reason-field.tsx';
import { useApprovalRequest } from './use-approval-request.ts';

type Company = CompanyData['company'];
type Holder = NonNullable<Company['vrn_holder']>;

export function VatNumberHolderNotice({ company, holder }: { company: Company; holder: Holder }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Notice tone="warning" title="The VAT number is connected to another company">
        <Stack>
          <Text>
            <TextLink to={getPageLink('adminCompany', { company_id: holder.company_id })}>{holder.name}</TextLink>, added{' '}
            <InstantText at={holder.added_at} />, has connected it, so this company can’t connect HMRC.
          </Text>
          <div>
            <Button size="small" variant="outlined" onClick={() => setOpen(true)}>
              Move VAT number
            </Button>
          </div>
        </Stack>
      </Notice>
      {isOpen && <MoveDialog company={company} onClose={() => setOpen(false)} />}
    </>
  );
}

function MoveDialog({ company, onClose }: { company: Company; onClose: () => void }) {
  const [reason, setReason] = useState('');
  const send = useApprovalRequest({
    send: () => apiRequest(operatorCompaniesApi.moveVatNumber, { company_id: company.company_id, reason }),
    onClose,
  });
  return (
    <ModalDialog
      open
      small
      heading="Move the VAT number?"
      loading={send.isPending}
      onClose={onClose}
      actions={
        <SubmitButton missing={getReasonError(reason)} isBusy={send.isPending} onClick={() => send.mutate()}>
          Request approval
        </SubmitButton>
      }
    >
      <Stack>
        <Text>
          Once another operator approves, this company can connect HMRC. The other company’s connection to HMRC ends, its open offers are
          withdrawn, and it can’t connect this VAT number again. The owners of both are emailed.
        </Text>
        <Text>Check first who may act for the business, for example with a letter from a director on Companies House’s list.</Text>
        <ReasonField
          id="move-reason"
          value={reason}
          onChange={setReason}
          hint="What you checked. Saved in both companies’ audit trails with your name."
        />
        {send.error && (
          <Notice tone="error" title="The request wasn’t sent" role="alert">
            {getErrorText(send.error)}
          </Notice>
        )}
      </Stack>
    </ModalDialog>
  );
}
