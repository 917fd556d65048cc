/** Asks which taxes the practice handles, and shows where each tax's figures come from. */
import { practiceApi } from '@portal/contract/practice.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { TAXES, type Tax } from '@portal/domain/uk-tax/tax.ts';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { ButtonRow } from '../../ui/button-row.tsx';
import { ErrorSummary } from '../../ui/error-summary.tsx';
import { Stack } from '../../ui/layout.tsx';
import { TaxChoice } from '../../components/practice/tax-choice.tsx';
import { PracticeStepPage, type OwnPractice } from './practice-step-page.tsx';
import { useGoToStepAfter } from './use-practice.ts';
import { SubmitButton } from '../../ui/submit-button.tsx';

export function TaxesScreen() {
  return (
    <PracticeStepPage
      step="taxes"
      title="Which taxes do you handle?"
      lead="You can change this at any time. Each client only shows the taxes that apply to it."
    >
      {(practice) => <TaxesForm known={practice} />}
    </PracticeStepPage>
  );
}

function TaxesForm({ known: { company_id, practice } }: { known: OwnPractice }) {
  const goToNextStep = useGoToStepAfter('taxes');
  const [chosenTaxes, setChosen] = useState<readonly Tax[]>(practice.taxes.length > 0 ? practice.taxes : TAXES);
  const save = useMutation({
    mutationFn: async () => {
      await apiRequest(practiceApi.saveAccountantProfile, { company_id, taxes: [...chosenTaxes] });
      await goToNextStep(company_id);
    },
  });
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (chosenTaxes.length > 0) save.mutate();
      }}
    >
      {save.error !== null && <ErrorSummary errors={[{ field: undefined, message: getErrorText(save.error) }]} />}
      <Stack gap={24}>
        <TaxChoice chosen={chosenTaxes} onChange={setChosen} />
        <ButtonRow>
          <SubmitButton missing={chosenTaxes.length === 0 ? 'Choose at least one tax.' : undefined} isBusy={save.isPending}>
            {save.isPending ? 'Saving…' : 'Save and continue'}
          </SubmitButton>
        </ButtonRow>
      </Stack>
    </form>
  );
}
