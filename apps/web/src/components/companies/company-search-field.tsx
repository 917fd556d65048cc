/** The company name: typed, or picked from Companies House suggestions, which also fill in the company number. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { companyLookUpApi } from '@portal/contract/company-look-up.ts';
import { toCompanyTitleCase } from '@portal/domain/uk-tax/references/company-title-case.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { apiQuery } from '../../lib/api.ts';
import { useDebouncedText } from '../../lib/use-debounced-text.ts';
import { SuggestField, type Suggestion } from '../../ui/suggest-field.tsx';

type Company = EndpointOutput<typeof companyLookUpApi.search>['companies'][number];

const MIN_CHARACTERS = 2;
/** The search rejects longer keywords. If we sent one, it would look as if Companies House were unavailable. */
const MAX_CHARACTERS = 160;
const isSearchable = ({ length }: string): boolean => length >= MIN_CHARACTERS && length <= MAX_CHARACTERS;

/** Searches for typed text only. Picking a suggestion doesn't start a new search. */
function useSearch(inputText: string) {
  const keyword = useDebouncedText(inputText.trim());
  const query = useQuery({
    ...apiQuery(companyLookUpApi.search, { keyword }),
    enabled: isSearchable(keyword),
    staleTime: 60_000,
  });
  const isCurrent = keyword === inputText.trim() && isSearchable(keyword);
  return {
    /** Undefined until the search for the typed text has returned. */
    companies: isCurrent ? query.data?.companies : undefined,
    isLoading: isCurrent && query.isFetching,
    error: isCurrent ? query.error : null,
  };
}

type CompanySearchFieldProps = {
  /** For example "Company name" or "Practice name". */
  label: string;
  hint?: string;
  /** Advice shown when nothing matches. */
  noMatchAdvice?: string;
  name: string;
  field: UseFormRegisterReturn;
  error: string | undefined;
  fill: (field: 'name' | 'company_number', value: string) => void;
};

export function CompanySearchField({
  label,
  hint = 'Start typing the name or number and choose your company from the list.',
  noMatchAdvice = 'Check the spelling, or enter the full name and the company number yourself.',
  name,
  field,
  error,
  fill,
}: CompanySearchFieldProps) {
  const [inputText, setInputText] = useState('');
  const [chosenCompany, setChosen] = useState<Company>();
  const search = useSearch(inputText);
  const { companies } = search;
  const { name: fieldName, ref, onBlur } = field;
  return (
    <SuggestField
      id="field-name"
      name={fieldName}
      ref={ref}
      label={label}
      hint={hint}
      error={error}
      autoComplete="organization"
      value={name}
      suggestions={(companies ?? []).map(toSuggestion)}
      listLabel="Companies found"
      loadingText={search.isLoading && companies === undefined ? 'Searching Companies House…' : undefined}
      announcement={
        companies === undefined || companies.length === 0
          ? ''
          : companies.length === 1
            ? '1 company found'
            : `${companies.length} companies found`
      }
      note={
        search.error !== null
          ? 'We can’t reach Companies House at the moment. Enter the name and the company number yourself.'
          : companies?.length === 0
            ? `No company at Companies House matches “${inputText.trim()}”. ${noMatchAdvice}`
            : chosenCompany !== undefined && isGone(chosenCompany) && name === toCompanyTitleCase(chosenCompany.name)
              ? 'Companies House lists this company as dissolved or closed. Check that you’ve chosen the right one.'
              : undefined
      }
      onType={(text) => {
        fill('name', text);
        setInputText(text);
      }}
      onChoose={(number) => {
        const pickedCompany = companies?.find((company) => company.company_number === number);
        if (pickedCompany === undefined) return;
        fill('name', toCompanyTitleCase(pickedCompany.name));
        fill('company_number', pickedCompany.company_number);
        setChosen(pickedCompany);
        setInputText('');
      }}
      onBlur={(input) => {
        // Otherwise, a late response would move the rest of the form while the user is filling it in or pressing its button.
        if (companies === undefined) setInputText('');
        void onBlur({ target: input, type: 'blur' });
      }}
    />
  );
}

const isGone = ({ status }: Company): boolean => ['dissolved', 'converted-closed', 'closed', 'removed'].includes(status);

/**
 * Labels for the register's `company_status` (Companies House api-enumerations, constants.yml), where the label isn't simply the same word.
 */
const STATUS_LABELS: Readonly<Record<string, string>> = {
  liquidation: 'In liquidation',
  receivership: 'In receivership',
  administration: 'In administration',
  'insolvency-proceedings': 'Insolvent',
  'converted-closed': 'Converted or closed',
};

function toSuggestion(company: Company): Suggestion {
  const { company_number: number, name, status, address } = company;
  const words = status.replaceAll('-', ' ');
  return {
    key: number,
    label: toCompanyTitleCase(name),
    detail: [number, address].filter((part) => part !== '').join(' · '),
    mark:
      status === 'active' || status === 'open' || status === 'registered' || status === 'unknown'
        ? undefined
        : {
            label: STATUS_LABELS[status] ?? `${words.charAt(0).toUpperCase()}${words.slice(1)}`,
            tone: isGone(company) ? 'error' : 'warning',
          },
  };
}
