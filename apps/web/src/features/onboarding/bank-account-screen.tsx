/** The UK bank account that advances are paid into. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { onboardingApi, type Progress } from '@portal/contract/onboarding.ts';
import { Link } from 'react-router';
import { apiRequest } from '../../lib/api.ts';
import { useContractForm } from '../../lib/contract-form.ts';
import { FactList } from '../../ui/fact-list.tsx';
import { FormField } from '../../ui/form-field.tsx';
import { FormPanel } from '../../ui/form-panel.tsx';
import { Notice } from '../../ui/notice.tsx';
import { StepPage } from './step-page.tsx';
import { getLinkAfter, useGoToNextStep } from './use-progress.ts';

export function BankAccountScreen() {
  return (
    <StepPage
      step="bank-account"
      title="Bank account"
      lead="Where we pay your refund in advance. It must be a UK account in the company’s own name."
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
        submitLabel={known === null ? 'Save and continue' : 'Change the account'}
        busyLabel="Saving ..."
        otherActions={
          known !== null && (
            <Button component={Link} to={getLinkAfter('bank-account', progress)} variant="text">
              Keep this account
            </Button>
          )
        }
      >
        <FormField
          form={form}
          name="account_holder"
          label="Account holder"
          hint="The company’s name as the bank has it."
          autoComplete="off"
        />
        <FormField
          form={form}
          name="sort_code"
          label="Sort code"
          hint="6 digits, for example 20-00-00."
          inputMode="numeric"
          autoComplete="off"
          widthInCharacters={12}
        />
        <FormField
          form={form}
          name="account_number"
          label="Account number"
          hint="8 digits."
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
    <>
      <FactList
        facts={[
          { label: 'Account holder', value: account.account_holder },
          { label: 'Sort code', value: account.sort_code.replace(/^(\d{2})(\d{2})(\d{2})$/, '$1-$2-$3') },
          { label: 'Account number', value: `ends in ${account.account_number_end}` },
        ]}
      />
      <Box sx={{ my: 3 }}>
        <Notice tone="info" title="A change holds payouts for 24 hours">
          So nobody can turn your refund away from you unseen.
        </Notice>
      </Box>
      <Typography component="h2" variant="h3" sx={{ mb: 2 }}>
        Change the account
      </Typography>
    </>
  );
}
