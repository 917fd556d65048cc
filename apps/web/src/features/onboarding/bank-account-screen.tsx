/** The UK bank account that advances are paid into. */
import { onboardingApi, type Progress } from '@portal/contract/onboarding.ts';
import { apiRequest } from '../../lib/api.ts';
import { useContractForm } from '../../lib/contract-form.ts';
import { formatSortCode } from '../../lib/format-sort-code.ts';
import { Button } from '../../ui/button.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { FormField } from '../../ui/form-field.tsx';
import { FormPanel } from '../../ui/form-panel.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Heading } from '../../ui/text.tsx';
import { StepPage } from './step-page.tsx';
import { getLinkAfter, useGoToNextStep } from './use-progress.ts';
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

type Values = { account_holder: string; sort_code: string; account_number: string };

function BankAccount({ progress }: { progress: Progress }) {
  const goToNextStep = useGoToNextStep();
  const known = progress.bank_account;
  const companyId = progress.company_id ?? '';
  const form = useContractForm<typeof onboardingApi.saveBankAccount, Values>(onboardingApi.saveBankAccount, {
    defaults: { account_holder: known?.account_holder ?? progress.company?.name ?? '', sort_code: '', account_number: '' },
    fixed: { company_id: companyId },
    // Account numbers are never saved in the browser: they have to be typed again.
    draft: { name: `bank-account:${companyId}`, fields: ['account_holder'] },
    send: async (input) => {
      await apiRequest(onboardingApi.saveBankAccount, input);
      await goToNextStep(companyId);
    },
  });
  return (
    <>
      {known !== null && <KnownAccount account={known} />}
      <FormPanel
        form={form}
        submitLabel={known === null ? 'Save and continue' : 'Change account'}
        busyLabel="Saving…"
        otherActions={
          known !== null && (
            <Button to={getLinkAfter('bank-account', progress)} variant="text">
              Keep this account
            </Button>
          )
        }
      >
        <FormField
          form={form}
          name="account_holder"
          label="Account holder"
          hint="Your company’s name as your bank has it"
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
          hint="8 digits"
          inputMode="numeric"
          autoComplete="off"
          widthInCharacters={12}
        />
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
        This protects you if someone else changes your details.
      </Notice>
      <Heading level={2} size="part">
        Change account
      </Heading>
    </Stack>
  );
}
