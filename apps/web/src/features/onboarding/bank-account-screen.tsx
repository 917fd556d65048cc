/** The UK bank account that advances are paid into. */
import { onboardingApi, type Progress } from '@portal/contract/onboarding.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { securityApi } from '@portal/contract/security.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { useContractForm } from '../../lib/contract-form.ts';
import { formatSortCode } from '@portal/domain/uk-tax/references/format-sort-code.ts';
import { Button } from '../../ui/button.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { FormField } from '../../ui/form-field.tsx';
import { FormPanel } from '../../ui/form-panel.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { StatusPanel } from '../../ui/status-panel.tsx';
import { Heading } from '../../ui/text.tsx';
import { useToast } from '../../ui/toast.tsx';
import { ConfirmItIsYou, getConfirmationChecks, type BankAccountValues, type ConfirmationState } from './confirm-it-is-you.tsx';
import { StepPage } from './step-page.tsx';
import { useGoToNextStep, useLinkAfter } from './use-progress.ts';
import styles from './bank-account-screen.module.css';

export function BankAccountScreen() {
  return (
    <StepPage
      step="bank-account"
      title="Bank account"
      lead="We’ll pay your early refund into this account. It must be a UK account in your company’s name."
    >
      {(progress) => <BankAccount progress={progress} />}
    </StepPage>
  );
}

type SavedBankAccount = EndpointOutput<typeof onboardingApi.saveBankAccount>;

const PAUSE_NOTICE = 'Payments pause for 24 hours, and we’ve emailed every owner.';
const RESULT_MESSAGES: Readonly<Record<SavedBankAccount['saved_as'], { heading: string; effect: string }>> = {
  added: { heading: 'Bank account saved', effect: '' },
  unchanged: { heading: 'Bank account unchanged', effect: 'These are the details we already had, so payments aren’t paused.' },
  renamed: { heading: 'Account holder changed', effect: 'It’s the same account, so payments aren’t paused. We’ve emailed every owner.' },
  confirmed: { heading: 'Bank account confirmed', effect: PAUSE_NOTICE },
  changed: { heading: 'Bank account changed', effect: PAUSE_NOTICE },
};

/** Describes the result of the bank's account name check. Returns undefined if the bank confirmed the name. */
function describeNameCheck({ name_check: result, bank_name: bankName }: SavedBankAccount): string | undefined {
  switch (result) {
    case 'match':
      return undefined;
    case 'close_match':
      return `Account saved. Your bank shows a similar name for this account${bankName === null ? '' : `: ${bankName}`}. If that’s your company, enter the name exactly as your bank shows it. Otherwise, we’ll review it.`;
    case 'no_match':
      return 'Account saved. The bank says the account isn’t in this name. Check the details, or we’ll have to review them before we pay.';
    case 'unavailable':
      return 'Account saved. The bank hasn’t confirmed the name yet. We’ll check again before we pay.';
  }
}

function BankAccount({ progress }: { progress: Progress }) {
  const goToNextStep = useGoToNextStep();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const nextLink = useLinkAfter('bank-account', progress);
  const [changedAccount, setChanged] = useState<SavedBankAccount>();
  const savedAccount = progress.bank_account;
  const companyId = progress.company_id ?? '';
  const toast = useToast();
  const [confirmation, setConfirmation] = useState<ConfirmationState>({});
  const security = useQuery({ ...apiQuery(securityApi.get, {}), enabled: savedAccount !== null });
  const form = useContractForm<typeof onboardingApi.saveBankAccount, BankAccountValues>(onboardingApi.saveBankAccount, {
    defaults: {
      account_holder: savedAccount?.account_holder ?? progress.company?.name ?? '',
      sort_code: '',
      account_number: '',
      confirm_code: '',
      confirm_password: '',
      emailed_code: '',
    },
    fixed: { company_id: companyId },
    checks: getConfirmationChecks(security.data),
    // Account numbers are never saved in the browser, so they have to be typed again.
    draft: { name: `bank-account:${companyId}`, fields: ['account_holder'] },
    send: async (input) => {
      const saveResult = await apiRequest(onboardingApi.saveBankAccount, { ...input, ...confirmation });
      if (savedAccount !== null) {
        // Other pages show the account too, so invalidate everything.
        await queryClient.invalidateQueries();
        return setChanged(saveResult);
      }
      const warning = describeNameCheck(saveResult);
      if (warning !== undefined) toast('error', warning);
      await goToNextStep(companyId);
    },
  });
  if (changedAccount !== undefined && savedAccount !== null) {
    const warning = describeNameCheck(changedAccount);
    return (
      <StatusPanel
        state={warning === undefined ? 'success' : 'warning'}
        heading={RESULT_MESSAGES[changedAccount.saved_as].heading}
        isResult
        subHeading={`We’ll pay into the account ending ${savedAccount.account_number_end}. ${RESULT_MESSAGES[changedAccount.saved_as].effect}`}
        onContinue={() => void navigate(nextLink)}
      >
        {warning}
      </StatusPanel>
    );
  }
  return (
    <>
      {savedAccount !== null && <KnownAccount account={savedAccount} />}
      <FormPanel
        form={form}
        submitLabel={savedAccount === null ? 'Save and continue' : 'Change account'}
        busyLabel="Saving…"
        otherActions={
          savedAccount !== null && (
            <Button to={nextLink} variant="text">
              Keep this account
            </Button>
          )
        }
      >
        <FormField
          form={form}
          name="account_holder"
          label="Account holder"
          hint="Your company’s name as your bank shows it"
          autoComplete="off"
        />
        <FormField
          form={form}
          name="sort_code"
          label="Sort code"
          hint="6 digits, for example 20-00-00"
          inputMode="numeric"
          autoComplete="off"
          widthInCharacters={12}
        />
        <FormField
          form={form}
          name="account_number"
          label="Account number"
          hint="8 digits. If yours is shorter, put zeros in front."
          inputMode="numeric"
          autoComplete="off"
          widthInCharacters={12}
        />
        {savedAccount !== null && <ConfirmItIsYou form={form} companyId={companyId} state={confirmation} onChange={setConfirmation} />}
      </FormPanel>
    </>
  );
}

function KnownAccount({ account }: { account: NonNullable<Progress['bank_account']> }) {
  return (
    <Stack gap={24} className={styles.known}>
      <FactList
        facts={[
          { label: 'Account holder', value: account.account_holder },
          { label: 'Sort code', value: formatSortCode(account.sort_code) },
          { label: 'Account number', value: `Ends in ${account.account_number_end}` },
        ]}
      />
      <Notice tone="info" title="After a change, payments pause for 24 hours">
        This protects you if someone else changes your details. We also email every owner.
      </Notice>
      <Heading level={2} size="part">
        Change account
      </Heading>
    </Stack>
  );
}
