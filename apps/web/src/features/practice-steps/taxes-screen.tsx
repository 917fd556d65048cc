/** Which taxes the practice handles, and where the figures of each come from. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { practiceApi } from '@portal/contract/practice.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { TAXES, type Tax } from '@portal/domain/uk-tax/tax.ts';
import { apiRequest } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { ErrorSummary } from '../../ui/error-summary.tsx';
import { TaxChoice } from '../../ui/tax-choice.tsx';
import { PracticeStepPage, type OwnPractice } from './practice-step-page.tsx';
import { useGoToStepAfter } from './use-practice.ts';

export function TaxesScreen() {
  return (
    <PracticeStepPage
      step="taxes"
      title="Which taxes do you look after?"
      lead="You can change this at any time. A client is shown only with the taxes they have."
    >
      {(practice) => <Taxes known={practice} />}
    </PracticeStepPage>
  );
}

function Taxes({ known: { company_id, practice } }: { known: OwnPractice }) {
  const goToNextStep = useGoToStepAfter('taxes');
  const [chosen, setChosen] = useState<readonly Tax[]>(practice.taxes.length > 0 ? practice.taxes : TAXES);
  const save = useMutation({
    mutationFn: async () => {
      await apiRequest(practiceApi.saveAccountantProfile, { company_id, taxes: [...chosen] });
      await goToNextStep(company_id);
    },
  });
  return (
    <Box
      component="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (chosen.length > 0) save.mutate();
      }}
    >
      {save.error !== null && <ErrorSummary errors={[{ field: undefined, message: errorText(save.error) }]} />}
      <TaxChoice chosen={chosen} onChange={setChosen} />
      <Button
        type="submit"
        disabled={chosen.length === 0 || save.isPending}
        sx={{ mt: 3, minWidth: 200, width: { xs: '100%', sm: 'auto' } }}
      >
        {save.isPending ? 'Saving ...' : 'Save and continue'}
      </Button>
    </Box>
  );
}
