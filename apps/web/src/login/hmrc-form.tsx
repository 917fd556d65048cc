/**
 * Signing in with HMRC identifies a company, not a person: it starts with the VAT number, and a link emailed to the company's owner
 * completes it.
 */
import { parseNineDigitVrn } from '@portal/domain/uk-tax/references/vrn.ts';
import { useState, type FormEvent } from 'react';
import { providerSignInUrl } from '../lib/sign-in-providers.ts';

const ID = 'field-hmrc-vrn';

/** Navigates by script instead of submitting, because our Content-Security-Policy (form-action) only allows forms to our own origin. */
export function HmrcForm({ next }: { next: string | undefined }) {
  const [vrn, setVrn] = useState('');
  const [isTouched, setIsTouched] = useState(false);
  const parsedVrn = parseNineDigitVrn(vrn);
  const problem = isTouched && !parsedVrn.ok ? parsedVrn.reason : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (parsedVrn.ok) location.assign(providerSignInUrl('hmrc', { next, vrn: parsedVrn.value.vrn }));
    else setIsTouched(true);
  };
  return (
    <form className="email-form hmrc" noValidate onSubmit={submit}>
      <label htmlFor={ID}>VAT registration number</label>
      <p id={`${ID}-hint`} className="under">
        9 digits. After HMRC we email the company’s owner a link to finish.
      </p>
      <input
        id={ID}
        name="vrn"
        inputMode="numeric"
        autoComplete="off"
        aria-required="true"
        aria-invalid={problem !== undefined}
        aria-describedby={`${ID}-hint ${ID}-error`}
        onChange={({ target }) => setVrn(target.value)}
        onBlur={() => setIsTouched(vrn !== '')}
      />
      <p id={`${ID}-error`} className="field-error" aria-live="polite">
        {problem}
      </p>
      <button type="submit" className="button outlined">
        Go on to HMRC
      </button>
    </form>
  );
}
