import { practiceApi } from '@portal/contract/practice.ts';
import { parseArn } from '@portal/domain/uk-tax/references/arn.ts';
import { parseCompanyNumber } from '@portal/domain/uk-tax/references/company-number.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { TAX_NAMES } from '@portal/domain/uk-tax/tax.ts';
import { apiRequest } from '../../lib/api.ts';
import { useContractForm } from '../../lib/contract-form.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { ErrorSummary } from '../../ui/error-summary.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { FormField } from '../../ui/form-field.tsx';
import { FormPanel } from '../../ui/form-panel.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { DataCard } from '../../components/data-protection/data-card.tsx';
import { TaxChoice } from '../../components/practice/tax-choice.tsx';
import type { PracticeProfile } from '../../lib/practice-profile.ts';
import { AddressForm } from './address-form.tsx';
import { BrandCard } from './brand-card.tsx';
import { LetterTemplateCard } from './letter-template-card.tsx';
import { OwnDatesForm } from './own-dates-form.tsx';
import { useConfirmSaved } from './use-confirm-saved.ts';
import styles from './settings.module.css';
import { getMissingText, SubmitButton } from '../../ui/submit-button.tsx';

/** The practice: its name, its HMRC references and its taxes. Team members can only view it. */
export function PracticeTab({ profile }: { profile: PracticeProfile }) {
  return (
    <Stack gap={24} className={styles.tab}>
      {profile.role === 'admin' ? (
        <>
          <SectionCard title="Details">
            <DetailsForm profile={profile} />
          </SectionCard>
          <SectionCard title="Postal address">
            <AddressForm profile={profile} />
          </SectionCard>
          <SectionCard title="Plan and price">
            <Text>
              <TextLink to={getPageLink('premiumSetup', { company_id: profile.company_id })}>
                Choose your connections and see the price
              </TextLink>
            </Text>
          </SectionCard>
          <SectionCard title="Taxes you handle">
            <TaxesForm profile={profile} />
          </SectionCard>
          <div id="own-dates" className={styles.ownDates}>
            <SectionCard title="Internal deadlines">
              <OwnDatesForm profile={profile} />
            </SectionCard>
          </div>
          <BrandCard companyId={profile.company_id} />
          <LetterTemplateCard companyId={profile.company_id} />
          <DataCard account={{ of: 'practice', companyId: profile.company_id }} />
        </>
      ) : (
        <SectionCard title="Details" source="Only admins can change these.">
          <FactList facts={listFacts(profile)} />
        </SectionCard>
      )}
    </Stack>
  );
}

function listFacts(profile: PracticeProfile) {
  return [
    { label: 'Name', value: profile.name },
    { label: 'Company number', value: profile.company_number ?? 'None' },
    {
      label: 'Postal address',
      value: profile.address === null ? 'None' : [...profile.address.lines, profile.address.postcode].join(', '),
    },
    { label: 'Agent reference number', value: profile.arn ?? 'Not added yet' },
    { label: 'Agent code for corporation tax', value: profile.agent_code_ct ?? 'None' },
    { label: 'Agent code for PAYE', value: profile.agent_code_paye ?? 'None' },
    { label: 'Agent code for Self Assessment', value: profile.agent_code_sa ?? 'None' },
    { label: 'Taxes', value: profile.taxes.map((tax) => TAX_NAMES[tax]).join(', ') || 'None chosen yet' },
  ];
}

type Values = {
  name: string;
  company_number: string;
  arn: string;
  agent_code_ct: string;
  agent_code_paye: string;
  agent_code_sa: string;
};

const makeOptional =
  <Read,>(parse: (text: string) => { ok: true; value: Read } | { ok: false; reason: string }) =>
  (text: string) =>
    text.trim() === '' ? { ok: true as const, value: text } : parse(text);

function DetailsForm({ profile }: { profile: PracticeProfile }) {
  const confirmSaved = useConfirmSaved();
  const form = useContractForm<typeof practiceApi.saveAccountantProfile, Values>(practiceApi.saveAccountantProfile, {
    defaults: {
      name: profile.name,
      company_number: profile.company_number ?? '',
      arn: profile.arn ?? '',
      agent_code_ct: profile.agent_code_ct ?? '',
      agent_code_paye: profile.agent_code_paye ?? '',
      agent_code_sa: profile.agent_code_sa ?? '',
    },
    fixed: { company_id: profile.company_id },
    draft: {
      name: `practice:${profile.company_id}`,
      fields: ['name', 'company_number', 'arn', 'agent_code_ct', 'agent_code_paye', 'agent_code_sa'],
    },
    checks: { arn: makeOptional(parseArn), company_number: makeOptional(parseCompanyNumber) },
    send: async (input) => {
      // An empty field clears the reference. Omitting the field would leave the reference unchanged.
      const emptyFields = { company_number: '', arn: '', agent_code_ct: '', agent_code_paye: '', agent_code_sa: '' };
      await apiRequest(practiceApi.saveAccountantProfile, { ...emptyFields, ...input });
      await confirmSaved('Practice details saved');
    },
  });
  const isConnected = profile.hmrc.status === 'connected' || profile.hmrc.status === 'ending';
  return (
    <FormPanel form={form} submitLabel="Save" busyLabel="Saving…">
      <FormField form={form} name="name" label="Practice name" autoComplete="organization" />
      <FormField form={form} name="company_number" label="Company number" optional widthInCharacters={14} autoComplete="off" />
      <FormField
        form={form}
        name="arn"
        label="Agent reference number"
        hint={
          isConnected
            ? 'HMRC is connected for this reference. If you change it, the connection ends and you’ll need to connect again.'
            : 'A letter, ARN and 7 digits, for example AARN0000002'
        }
        optional
        autoComplete="off"
        widthInCharacters={16}
      />
      <FormField
        form={form}
        name="agent_code_ct"
        label="Agent code for corporation tax"
        optional
        autoComplete="off"
        widthInCharacters={14}
      />
      <FormField form={form} name="agent_code_paye" label="Agent code for PAYE" optional autoComplete="off" widthInCharacters={14} />
      <FormField
        form={form}
        name="agent_code_sa"
        label="Agent code for Self Assessment"
        optional
        autoComplete="off"
        widthInCharacters={14}
      />
    </FormPanel>
  );
}

function TaxesForm({ profile }: { profile: PracticeProfile }) {
  const confirmSaved = useConfirmSaved();
  const [chosenTaxes, setChosen] = useState(profile.taxes);
  const save = useMutation({
    mutationFn: async () => {
      await apiRequest(practiceApi.saveAccountantProfile, { company_id: profile.company_id, taxes: chosenTaxes });
      await confirmSaved('Taxes saved');
    },
  });
  const isChanged = [...chosenTaxes].sort().join() !== [...profile.taxes].sort().join();
  return (
    <>
      {save.error !== null && <ErrorSummary errors={[{ field: undefined, message: getErrorText(save.error) }]} />}
      <TaxChoice chosen={chosenTaxes} onChange={(taxes) => setChosen([...taxes])} />
      <Row>
        <SubmitButton
          missing={getMissingText([chosenTaxes.length === 0 ? 'Choose at least one tax.' : undefined], isChanged)}
          isBusy={save.isPending}
          onClick={() => save.mutate()}
          className={styles.save}
        >
          {save.isPending ? 'Saving…' : 'Save'}
        </SubmitButton>
      </Row>
    </>
  );
}
