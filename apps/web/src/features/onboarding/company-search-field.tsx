import { useWatch } from 'react-hook-form';
import type { ContractForm } from '../../lib/contract-form.ts';
import { CompanySearchField as SearchField } from '../../components/companies/company-search-field.tsx';

export type CompanyValues = { name: string; company_number: string; vrn: string };

/** The trader's company name, chosen from the register or typed. */
export function CompanySearchField({ form }: { form: ContractForm<CompanyValues> }) {
  const { register, setValue, control } = form.form;
  return (
    <SearchField
      label="Company name"
      name={useWatch({ control, name: 'name' })}
      field={register('name')}
      error={form.getError('name')}
      fill={(field, value) => setValue(field, value, { shouldDirty: true, shouldValidate: true, shouldTouch: field === 'company_number' })}
    />
  );
}
