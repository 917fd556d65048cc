/** The company name: typed, or picked from Companies House suggestions, which also fills in the company number. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { companyLookUpApi } from '@portal/contract/company-look-up.ts';
import Autocomplete from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { apiQuery } from '../lib/api.ts';
import { useDebouncedText } from '../lib/use-debounced-text.ts';
import { describedBy, FieldFrame } from './form-field.tsx';
import { HiddenText } from './hidden-text.tsx';

type Suggestion = EndpointOutput<typeof companyLookUpApi.search>['companies'][number];

const MIN_CHARACTERS = 2;
/** The search rejects longer keywords. Sending one would look as if Companies House were unavailable. */
const MAX_CHARACTERS = 160;
const isSearchable = ({ length }: string): boolean => length >= MIN_CHARACTERS && length <= MAX_CHARACTERS;
const ID = 'field-name';
const HINT = 'Type the name or the number: we look it up at Companies House. You can also fill in both by hand.';

/** Searches for typed text only. Picking a suggestion doesn't start a new search. */
function useSearch(typed: string) {
  const keyword = useDebouncedText(typed.trim());
  const query = useQuery({
    ...apiQuery(companyLookUpApi.search, { keyword }),
    enabled: isSearchable(keyword),
    staleTime: 60_000,
  });
  const isCurrent = keyword === typed.trim() && isSearchable(keyword);
  return {
    companies: isCurrent ? (query.data?.companies ?? []) : [],
    isLoading: isCurrent && query.isFetching,
    error: isCurrent ? query.error : null,
  };
}

function getAnnouncement(search: ReturnType<typeof useSearch>, typed: string): string {
  if (!isSearchable(typed.trim()) || search.isLoading) return '';
  if (search.error !== null) return '';
  const count = search.companies.length;
  return count === 0 ? 'No company found' : count === 1 ? '1 company found' : `${count} companies found`;
}

type CompanySearchFieldProps = {
  /** For example "Company name" or "Name of the practice". */
  label: string;
  hint?: string;
  name: string;
  field: UseFormRegisterReturn;
  error: string | undefined;
  fill: (field: 'name' | 'company_number', value: string) => void;
};

export function CompanySearchField({ label, hint = HINT, name, field, error, fill }: CompanySearchFieldProps) {
  const [typed, setTyped] = useState('');
  const search = useSearch(typed);
  const { ref, onBlur } = field;
  return (
    <FieldFrame id={ID} label={label} hint={hint} error={error}>
      <Autocomplete<Suggestion, false, true, true>
        freeSolo
        disableClearable
        disablePortal
        // MUI adds padding for chips. Use the height of the other fields.
        sx={{ '& .MuiOutlinedInput-root': { p: 0, '& .MuiAutocomplete-input': { p: '12px 14px' } } }}
        // The listbox needs its own name. MUI would use the field's label.
        slotProps={{
          listbox: { 'aria-labelledby': undefined, 'aria-label': 'Companies found' },
          paper: { sx: { mt: 0.5, border: 1, borderColor: 'control' } },
        }}
        id={ID}
        options={search.companies}
        // Companies House has already filtered and ranked the results.
        filterOptions={(options) => options}
        loading={search.isLoading}
        loadingText="Searching Companies House ..."
        inputValue={name}
        value={name}
        getOptionLabel={(option) => (typeof option === 'string' ? option : option.name)}
        getOptionKey={(option) => (typeof option === 'string' ? option : option.company_number)}
        onInputChange={(_event, text, reason) => {
          if (reason !== 'input') return;
          fill('name', text);
          setTyped(text);
        }}
        onChange={(_event, picked) => {
          if (typeof picked === 'string') return;
          fill('name', picked.name);
          fill('company_number', picked.company_number);
          setTyped('');
        }}
        onBlur={(event) => void onBlur({ target: event.target, type: 'blur' })}
        renderOption={({ key, ...props }, company) => (
          <Box component="li" key={key} {...props} sx={{ display: 'block !important' }}>
            <Typography sx={{ fontWeight: 500 }}>{company.name}</Typography>
            <Typography variant="body2" sx={{ color: 'text.secondary' }}>
              {[company.company_number, company.status === 'active' ? '' : company.status.replaceAll('-', ' '), company.address]
                .filter((part) => part !== '')
                .join(' · ')}
            </Typography>
          </Box>
        )}
        renderInput={({ id, fullWidth, slotProps }) => (
          <OutlinedInput
            ref={slotProps.input.ref}
            className={slotProps.input.className}
            onMouseDown={slotProps.input.onMouseDown}
            id={id}
            name="name"
            fullWidth={fullWidth}
            inputRef={ref}
            error={error !== undefined}
            slotProps={{
              input: {
                ...slotProps.htmlInput,
                autoComplete: 'organization',
                'aria-describedby': describedBy(ID, hint, error),
                'aria-required': true,
              },
            }}
          />
        )}
      />
      <HiddenText role="status">{getAnnouncement(search, typed)}</HiddenText>
      {search.error !== null && (
        <Typography role="status" variant="body2" sx={{ mt: 0.75, color: 'text.secondary' }}>
          Companies House does not answer now. Type the name and the number by hand.
        </Typography>
      )}
    </FieldFrame>
  );
}
