/** Signing in with HMRC names no person, so that it begins with the company's VAT number; a link to the company's owner finishes it. */
import { parseNineDigitVrn } from '@portal/domain/uk-tax/references/vrn.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useState, type FormEvent } from 'react';
import { providerSignInUrl } from '../../lib/sign-in-providers.ts';
import { describedBy, FieldFrame } from '../../ui/form-field.tsx';

const ID = 'field-hmrc-vrn';
const HINT = '9 digits. After HMRC we e-mail the company’s owner a link to finish.';

/** The browser leaves by its address and not by the form: forms may lead nowhere but to us (Content-Security-Policy, form-action). */
export function HmrcForm({ next }: { next: string | undefined }) {
  const [vrn, setVrn] = useState('');
  const [isTouched, setIsTouched] = useState(false);
  const read = parseNineDigitVrn(vrn);
  const error = isTouched && !read.ok ? read.reason : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (read.ok) location.assign(providerSignInUrl('hmrc', { next, vrn: read.value.vrn }));
    else setIsTouched(true);
  };
  return (
    <Box component="form" noValidate onSubmit={submit} sx={{ mt: 3 }}>
      <FieldFrame id={ID} label="VAT registration number" hint={HINT} error={error}>
        <OutlinedInput
          id={ID}
          name="vrn"
          value={vrn}
          onChange={({ target }) => setVrn(target.value)}
          onBlur={() => setIsTouched(vrn !== '')}
          error={error !== undefined}
          sx={{ maxWidth: 'calc(18ch + 44px)' }}
          slotProps={{ input: { 'aria-describedby': describedBy(ID, HINT, error), 'aria-required': true, autoComplete: 'off' } }}
        />
      </FieldFrame>
      <Button type="submit" variant="outlined">
        Go on to HMRC
      </Button>
    </Box>
  );
}
