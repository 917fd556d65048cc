/** The company that claims the refunds: name, company number, VAT number. `existing_user=1` adds another company. */
import { advanceProposalsApi } from '@portal/contract/advance-proposals.ts';
import { onboardingApi, type Progress } from '@portal/contract/onboarding.ts';
import { parseCompanyNumber } from '@portal/domain/uk-tax/references/company-number.ts';
import { toCompanyTitleCase } from '@portal/domain/uk-tax/references/company-title-case.ts';
import { formatVrn, parseNineDigitVrn } from '@portal/domain/uk-tax/references/vrn.ts';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useSearchParams } from '../../lib/search-params.ts';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { saveCompanyId } from '../../lib/saved-company-id.ts';
import { getSandboxUrl } from '../../lib/settings.ts';
import { useContractForm } from '../../lib/contract-form.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { FormField } from '../../ui/form-field.tsx';
import { FormPanel } from '../../ui/form-panel.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { useToast } from '../../ui/toast.tsx';
import { CompanySearchField, type CompanyValues } from './company-search-field.tsx';
import { GrantedOrganisations, type GrantedOrganisation } from './granted-organisations.tsx';
import { StepPage } from './step-page.tsx';
import { getLinkAfter, useGoToNextStep } from './use-progress.ts';

export function CompanyScreen() {
  const [search] = useSearchParams();
  const isAddingAnother = search.get('existing_user') === '1';
  return (
    <StepPage
      step="company"
      addsCompany={isAddingAnother}
      title={isAddingAnother ? 'Add a company' : 'Your company'}
      lead="We’ll check the VAT number with HMRC."
    >
      {(progress) => {
        const company = isAddingAnother ? null : progress.company;
        return company !== null && progress.hmrc.status === 'connected' ? (
          <ConnectedCompany company={company} progress={progress} />
        ) : (
          <ProposedCompany isNew={company === null}>
            {(proposedValues) => (
              <CompanyForm
                company={company}
                proposed={proposedValues}
                companyId={isAddingAnother ? null : progress.company_id}
                progress={progress}
              />
            )}
          </ProposedCompany>
        );
      }}
    </StepPage>
  );
}

const NAME_WARNINGS = {
  close: 'We’ll check that it’s the same company before we pay you.',
  none: 'We can’t make you an offer until both are for the same company.',
} as const;

type Company = NonNullable<Progress['company']>;

type CompanyFormProps = { company: Company | null; proposed: CompanyValues | null; companyId: string | null; progress: Progress };

/** For a user whose accountant proposed an early refund: prefills the company details from the practice, for the user to check. */
function ProposedCompany({ isNew, children }: { isNew: boolean; children: (proposedValues: CompanyValues | null) => ReactNode }) {
  const [search] = useSearchParams();
  const [clientId, proposalId] = [search.get('client_id') ?? '', search.get('proposal_id') ?? ''];
  const isProposed = isNew && clientId !== '' && proposalId !== '';
  const query = useQuery({ ...apiQuery(advanceProposalsApi.ownList, { company_id: clientId }), enabled: isProposed });
  if (!isProposed) return children(null);
  return (
    <LoadState query={query} skeleton={<CardSkeleton lines={5} />}>
      {({ proposals }) => children(proposals.find(({ proposal_id: id }) => id === proposalId)?.company ?? null)}
    </LoadState>
  );
}

function CompanyForm({ company, proposed, companyId, progress }: CompanyFormProps) {
  const goToNextStep = useGoToNextStep();
  const toast = useToast();
  // Books can be connected only with a new company.
  const grantedBooks = companyId === null ? progress.granted_books : null;
  const [organisation, setOrganisation] = useState<GrantedOrganisation | null>();
  const form = useContractForm<typeof onboardingApi.saveCompany, CompanyValues>(onboardingApi.saveCompany, {
    defaults: {
      name: company?.name ?? proposed?.name ?? '',
      company_number: company?.company_number ?? proposed?.company_number ?? '',
      vrn: company?.vrn ?? proposed?.vrn ?? '',
    },
    startsChanged: proposed !== null,
    fixed: companyId === null ? {} : { company_id: companyId },
    draft: { name: `company:${companyId ?? proposed?.vrn ?? 'new'}`, fields: ['name', 'company_number', 'vrn'] },
    checks: { vrn: parseNineDigitVrn, company_number: parseCompanyNumber },
    send: async (input) => {
      const books = grantedBooks === null || organisation === undefined ? {} : { organisation_id: organisation?.organisation_id ?? null };
      const savedCompany = await apiRequest(onboardingApi.saveCompany, { ...input, ...books });
      saveCompanyId(savedCompany.company_id);
      if (savedCompany.vrn_registered_name !== null) {
        const registeredText = `HMRC has this VAT number registered to ${toCompanyTitleCase(savedCompany.vrn_registered_name)}`;
        if (savedCompany.name_match === 'match') toast('success', registeredText);
        else toast('error', `${registeredText}, not ${input.name}. ${NAME_WARNINGS[savedCompany.name_match]}`);
      }
      await goToNextStep(savedCompany.company_id);
    },
  });
  const choose = (chosenOrganisation: GrantedOrganisation | null) => {
    setOrganisation(chosenOrganisation);
    if (chosenOrganisation === null) return;
    const { name, company_number: number, vrn } = chosenOrganisation;
    for (const [field, value] of Object.entries({ name, company_number: number, vrn })) {
      if (value !== null) form.form.setValue(field as keyof CompanyValues, value, { shouldDirty: true, shouldValidate: true });
    }
  };
  return (
    <FormPanel
      form={form}
      submitLabel="Save and continue"
      busyLabel="Checking with HMRC…"
      otherActions={
        company !== null && (
          <Button to={getLinkAfter('company', progress)} variant="text">
            Continue without changes
          </Button>
        )
      }
    >
      {grantedBooks !== null && <GrantedOrganisations granted={grantedBooks} chosen={organisation} choose={choose} />}
      <CompanySearchField form={form} />
      <FormField
        form={form}
        name="company_number"
        label="Company number"
        hint="8 characters, for example 01234567 or SC123456"
        widthInCharacters={14}
      />
      <FormField
        form={form}
        name="vrn"
        label="VAT registration number"
        hint="9 digits, with or without GB. You’ll find it on your VAT certificate."
        inputMode="text"
        widthInCharacters={18}
      />
      <SandboxCompanyHint />
    </FormPanel>
  );
}

/** A visitor of the sandbox has no VAT number that its HMRC knows. */
function SandboxCompanyHint() {
  const sandbox = getSandboxUrl();
  if (sandbox === '') return null;
  return (
    <Text size="small" tone="quiet">
      The sandbox only knows invented companies.{' '}
      <TextLink href={`${sandbox}/control/hmrc`} target="_blank" rel="noreferrer">
        Create a test company
      </TextLink>{' '}
      to get a VAT number and a sign-in for HMRC.
    </Text>
  );
}

function ConnectedCompany({ company, progress }: { company: Company; progress: Progress }) {
  return (
    <Stack gap={24}>
      <FactList
        facts={[
          { label: 'Company name', value: company.name },
          { label: 'Company number', value: company.company_number },
          { label: 'VAT registration number', value: formatVrn(company.vrn) },
          ...(company.vrn_registered_name === null
            ? []
            : [{ label: 'Registered with HMRC as', value: toCompanyTitleCase(company.vrn_registered_name) }]),
        ]}
      />
      <Text tone="quiet">HMRC is connected for this VAT number, so you can’t change these details here.</Text>
      <ButtonRow>
        <Button to={getLinkAfter('company', progress)}>Continue</Button>
      </ButtonRow>
    </Stack>
  );
}
