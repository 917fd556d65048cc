/** The fields of a client, shared by the forms for adding and editing one. Validated on input with the client import's rules. */
import type { ClientFacts } from '@portal/contract/client-facts.ts';
import { clientKind } from '@portal/contract/client-filters.ts';

import { validateImportRow } from '@portal/domain/client-imports/parse-import-row.ts';
import { TAXES, TAX_NAMES, type Tax } from '@portal/domain/uk-tax/tax.ts';
import { useState } from 'react';
import { KIND_NAMES } from '../../lib/client-labels.ts';
import { Checkbox } from '../../ui/choice.tsx';
import styles from './client-fields.module.css';
import { FieldFrame, getDescribedBy } from '../../ui/form-field.tsx';
import { Select, TextInput } from '../../ui/input.tsx';
import { Text } from '../../ui/text.tsx';

export const CLIENT_FIELDS = [
  { name: 'name', label: 'Name', hint: 'The company’s or person’s name in HMRC’s records' },
  { name: 'vrn', label: 'VAT number', hint: '9 digits' },
  { name: 'vat_registered_on', label: 'VAT registration date', hint: 'HMRC asks for this when you request authorisation' },
  { name: 'utr', label: 'UTR', hint: '10 digits' },
  { name: 'company_number', label: 'Company number' },
  { name: 'nino', label: 'National Insurance number' },
  { name: 'paye_reference', label: 'PAYE reference', hint: 'For example 123/AB456' },
  { name: 'accounts_office_reference', label: 'Accounts Office reference', hint: 'For example 123PA00012345' },
  { name: 'postcode', label: 'Postcode' },
  { name: 'year_end', label: 'Year end', hint: 'Last day of the accounting period, for example 2026-03-31' },
  { name: 'email', label: 'Email' },
  { name: 'phone', label: 'Phone' },
  { name: 'client_code', label: 'Client code', hint: 'Your own code for the client, as used in your other software' },
] as const;

export type ClientFieldName = (typeof CLIENT_FIELDS)[number]['name'] | 'kind' | 'taxes';
/** Field values as text. `taxes` is a comma-separated list. */
export type ClientTexts = Readonly<Record<ClientFieldName, string>>;

export const EMPTY_CLIENT: ClientTexts = {
  name: '',
  kind: 'company',
  taxes: 'ct',
  vrn: '',
  vat_registered_on: '',
  utr: '',
  company_number: '',
  nino: '',
  paye_reference: '',
  accounts_office_reference: '',
  postcode: '',
  year_end: '',
  email: '',
  phone: '',
  client_code: '',
};

export const FIELD_LABELS = Object.fromEntries([
  ...CLIENT_FIELDS.map(({ name, label }) => [name, label]),
  ['kind', 'Client type'],
  ['taxes', 'Taxes'],
]) as Readonly<Record<ClientFieldName, string>>;

const parseTaxes = (text: string): Tax[] => TAXES.filter((tax) => text.split(',').includes(tax));

/** Converts field values to API input. */
export function toClientFacts(texts: ClientTexts): ClientFacts {
  return { ...texts, kind: clientKind.parse(texts.kind), taxes: parseTaxes(texts.taxes) };
}

/** Converts an API response to field values. */
export function toClientTexts(facts: ClientFacts): ClientTexts {
  return { ...EMPTY_CLIENT, ...facts, taxes: facts.taxes.join(',') };
}

/** Returns each field's problem, by the same rules as on the server and in the client import. */
export function findProblems(texts: ClientTexts): Partial<Record<ClientFieldName, string>> {
  const filledIn = Object.fromEntries(Object.entries(texts).filter(([name, text]) => text.trim() !== '' || name === 'taxes'));
  const { problems } = validateImportRow({ ...filledIn, taxes: texts.taxes.replaceAll(',', ', ') });
  return Object.fromEntries(problems.map(({ field, problem }) => [field, problem]));
}

type ClientFieldsProps = {
  texts: ClientTexts;
  onChange: (texts: ClientTexts) => void;
  /** Errors from the server by field name. */
  serverErrors: Readonly<Record<string, string>>;
};

export function ClientFields({ texts, onChange, serverErrors }: ClientFieldsProps) {
  const [touchedFields, setTouchedFields] = useState<ReadonlySet<string>>(new Set());
  const problems = findProblems(texts);
  const change = (name: ClientFieldName, text: string): void => onChange({ ...texts, [name]: text });
  const taxes = parseTaxes(texts.taxes);
  return (
    <>
      <FieldFrame id="client-kind" label="Client type" error={serverErrors['kind']}>
        <Select id="client-kind" value={texts.kind} onChange={(event) => change('kind', event.target.value)}>
          {clientKind.options.map((option) => (
            <option key={option} value={option}>
              {KIND_NAMES[option]}
            </option>
          ))}
        </Select>
      </FieldFrame>
      <fieldset className={styles.taxes}>
        <legend>Taxes you handle</legend>
        <div className={styles.options}>
          {TAXES.map((tax) => (
            <Checkbox
              key={tax}
              label={TAX_NAMES[tax]}
              checked={taxes.includes(tax)}
              onChange={() =>
                change('taxes', TAXES.filter((otherTax) => (otherTax === tax ? !taxes.includes(tax) : taxes.includes(otherTax))).join(','))
              }
            />
          ))}
        </div>
        {(serverErrors['taxes'] ?? problems.taxes) !== undefined && (
          <Text role="alert" size="small" weight="medium" tone="error">
            {serverErrors['taxes'] ?? problems.taxes}
          </Text>
        )}
      </fieldset>
      {CLIENT_FIELDS.map((field) => {
        const hint = 'hint' in field ? field.hint : undefined;
        const error = serverErrors[field.name] ?? (touchedFields.has(field.name) ? problems[field.name] : undefined);
        const id = `client-${field.name}`;
        return (
          <FieldFrame key={field.name} id={id} label={field.label} hint={hint} error={error} optional={field.name !== 'name'}>
            <TextInput
              id={id}
              value={texts[field.name]}
              onChange={(event) => change(field.name, event.target.value)}
              onBlur={() => setTouchedFields(new Set([...touchedFields, field.name]))}
              isInvalid={error !== undefined}
              aria-describedby={getDescribedBy(id, hint, error)}
              maxLength={200}
            />
          </FieldFrame>
        );
      })}
    </>
  );
}
