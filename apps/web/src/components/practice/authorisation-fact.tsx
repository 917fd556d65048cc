import type { Authorisation } from '@portal/contract/authorisations.ts';
import { FieldFrame, getDescribedBy } from '../../ui/form-field.tsx';
import { TextInput } from '../../ui/input.tsx';

const FIELDS = {
  vat_registered_on: {
    label: 'VAT registration date',
    hint: 'HMRC needs this to check that you know the client. It’s on their VAT certificate.',
    type: 'date',
  },
  postcode: { label: 'Postcode', hint: 'The client’s postcode in HMRC’s records.', type: 'text' },
} as const;

type AuthorisationFactProps = {
  id: string;
  needs: NonNullable<Authorisation['needs']>;
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
};

/** Input for a fact that HMRC requires with a request and that is missing from the client record. */
export function AuthorisationFact({ id, needs, value, onChange, error }: AuthorisationFactProps) {
  const { label, hint, type } = FIELDS[needs];
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <TextInput
        id={id}
        type={type}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        isInvalid={error !== undefined}
        widthInCharacters={18}
        aria-describedby={getDescribedBy(id, hint, error)}
      />
    </FieldFrame>
  );
}
