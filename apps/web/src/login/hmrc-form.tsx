/**
 * Signing in with HMRC identifies a company, not an individual. It starts with the VAT number, and a link emailed to the company's owner
 * completes it.
 */
import { parseNineDigitVrn } from '@portal/domain/uk-tax/references/vrn.ts';
import clsx from 'clsx';
import { useState, type FormEvent } from 'react';
import { getProviderSignInUrl } from '../lib/sign-in-providers.ts';
import { getButtonClass } from '../ui/button-look.ts';
import { LabelledInput } from '../ui/labelled-input.tsx';
import styles from './login-card.module.css';
import { MissingLine } from '../ui/missing-line.tsx';
import { Stack } from '../ui/layout.tsx';

/**
 * Navigates by script instead of submitting the form, because our Content-Security-Policy (form-action) allows forms to submit only to our
 * own origin.
 */
export function HmrcForm({ next }: { next: string | undefined }) {
  const [vrn, setVrn] = useState('');
  const [isTouched, setIsTouched] = useState(false);
  const parsedVrn = parseNineDigitVrn(vrn);
  const problem = isTouched && !parsedVrn.ok ? parsedVrn.reason : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (parsedVrn.ok) location.assign(getProviderSignInUrl('hmrc', { next, vrn: parsedVrn.value.vrn }));
    else setIsTouched(true);
  };
  return (
    <form className={styles.hmrcForm} noValidate onSubmit={submit}>
      <LabelledInput
        id="field-hmrc-vrn"
        label="VAT registration number"
        hint="9 digits. After you sign in with HMRC, we email the company’s owner a link to finish logging in."
        error={problem}
        name="vrn"
        inputMode="numeric"
        autoComplete="off"
        widthInCharacters={18}
        onChange={({ target }) => setVrn(target.value)}
        onBlur={() => setIsTouched(vrn !== '')}
      />
      <Stack gap={8} align="start">
        <button
          type="submit"
          className={clsx(getButtonClass({ variant: 'outlined' }), styles.submit)}
          disabled={!parsedVrn.ok}
          aria-describedby="hmrc-missing"
        >
          Continue to HMRC
        </button>
        <MissingLine id="hmrc-missing">{!parsedVrn.ok && problem === undefined && 'Enter your VAT registration number.'}</MissingLine>
      </Stack>
    </form>
  );
}
