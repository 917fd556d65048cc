/** The practice's name and, if it has one, company number. */
import { practiceApi } from '@portal/contract/practice.ts';
import { parseCompanyNumber } from '@portal/domain/uk-tax/references/company-number.ts';
import { useWatch } from 'react-hook-form';
import { useSearchParams } from '../../lib/search-params.ts';
import { apiRequest } from '../../lib/api.ts';
import { useContractForm, type ContractForm } from '../../lib/contract-form.ts';
import { Button } from '../../ui/button.tsx';
import { CompanySearchField } from '../../components/companies/company-search-field.tsx';
import { FormField } from '../../ui/form-field.tsx';
import { FormPanel } from '../../ui/form-panel.tsx';
import { PracticeStepPage, type OwnPractice } from './practice-step-page.tsx';
import { getLinkAfterStep } from '../../lib/practice-steps.ts';
import { useGoToStepAfter } from './use-practice.ts';

type Values = { name: string; company_number: string };

export function PracticeScreen() {
  const [search] = useSearchParams();
  return (
    <PracticeStepPage
      step="practice"
      title="Your practice"
      lead="Your clients will see this name when you ask them to authorise you at HMRC."
      first={<NewPractice />}
      key={search.get('company_id') ?? ''}
    >
      {(practice) => <KnownPractice known={practice} />}
    </PracticeStepPage>
  );
}

const checks = {
  // Sole practitioners don't have a company number.
  company_number: (text: string) => (text.trim() === '' ? { ok: true as const, value: text } : parseCompanyNumber(text)),
};

function NewPractice() {
  const goToNextStep = useGoToStepAfter('practice');
  const form = useContractForm<typeof practiceApi.create, Values>(practiceApi.create, {
    defaults: { name: '', company_number: '' },
    draft: { name: 'practice:new', fields: ['name', 'company_number'] },
    checks,
    send: async (input) => {
      const { company_id } = await apiRequest(practiceApi.create, input);
      await goToNextStep(company_id);
    },
  });
  return (
    <FormPanel form={form} submitLabel="Save and continue" busyLabel="Saving…">
      <PracticeFields form={form} />
    </FormPanel>
  );
}

function KnownPractice({ known }: { known: OwnPractice }) {
  const { company_id, practice } = known;
  const goToNextStep = useGoToStepAfter('practice');
  const form = useContractForm<typeof practiceApi.saveAccountantProfile, Values>(practiceApi.saveAccountantProfile, {
    defaults: { name: practice.name, company_number: practice.company_number ?? '' },
    fixed: { company_id },
    draft: { name: `practice:${company_id}`, fields: ['name', 'company_number'] },
    checks,
    send: async (input) => {
      await apiRequest(practiceApi.saveAccountantProfile, { ...input, company_number: input.company_number ?? '' });
      await goToNextStep(company_id);
    },
  });
  return (
    <FormPanel
      form={form}
      submitLabel="Save and continue"
      busyLabel="Saving…"
      otherActions={
        <Button to={getLinkAfterStep('practice', known)} variant="text">
          Continue without changes
        </Button>
      }
    >
      <PracticeFields form={form} />
    </FormPanel>
  );
}

function PracticeFields({ form }: { form: ContractForm<Values> }) {
  const { register, setValue, control } = form.form;
  return (
    <>
      <CompanySearchField
        label="Practice name"
        hint="Start typing the name or company number. Not a limited company or LLP? Just type your name."
        noMatchAdvice="Check the spelling, or just type your practice’s name."
        name={useWatch({ control, name: 'name' })}
        field={register('name')}
        error={form.getError('name')}
        fill={(field, value) =>
          setValue(field, value, { shouldDirty: true, shouldValidate: true, shouldTouch: field === 'company_number' })
        }
      />
      <FormField
        form={form}
        name="company_number"
        label="Company number"
        hint="8 characters, for example 01234567 or OC123456. Leave this empty if you’re not a limited company or LLP."
        optional
        widthInCharacters={14}
      />
    </>
  );
}
