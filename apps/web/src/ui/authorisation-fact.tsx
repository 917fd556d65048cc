import Box from '@mui/material/Box';
import OutlinedInput from '@mui/material/OutlinedInput';
import type { Authorisation } from '@portal/contract/authorisations.ts';
import { describedBy, FieldFrame } from './form-field.tsx';

const FIELDS = {
  vat_registered_on: {
    label: 'VAT registration date',
    hint: 'HMRC asks for it to know that you have spoken to the client. It is on the VAT certificate.',
    type: 'date',
  },
  postcode: { label: 'Postcode', hint: 'HMRC asks for the client’s own postcode, as HMRC holds it.', type: 'text' },
} as const;

type AuthorisationFactProps = {
  id: string;
  needs: NonNullable<Authorisation['needs']>;
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
};

/** Input for a fact that HMRC requires with a request and that the client record doesn't have yet. */
export function AuthorisationFact({ id, needs, value, onChange, error }: AuthorisationFactProps) {
  const { label, hint, type } = FIELDS[needs];
  return (
    <Box sx={{ mt: 2, mb: -1.5 }}>
      <FieldFrame id={id} label={label} hint={hint} error={error}>
        <OutlinedInput
          id={id}
          type={type}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          error={error !== undefined}
          sx={{ maxWidth: 240 }}
          fullWidth
          slotProps={{ input: { 'aria-describedby': describedBy(id, hint, error) } }}
        />
      </FieldFrame>
    </Box>
  );
}
