// Tests docs/product/specification.md section 4 ("Forms"): submit only when valid, changed and not already submitting; show errors only for
// touched fields.
import { endpoint } from '@portal/contract/endpoint.ts';
import { emailScalar } from '@portal/contract/scalars.ts';
import { createRejection, parsed } from '@portal/domain/parsed.ts';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod/mini';
import { useContractForm } from './contract-form.ts';
import { claimDrafts, saveDraft, readDraft, type FormDraft } from './form-draft.ts';
import { ApiError } from './problem-to-error.ts';

const signUp = endpoint({
  method: 'POST',
  path: '/sign-up',
  access: 'public',
  summary: '',
  input: z.object({
    email: emailScalar,
    phone: z.optional(z.string().check(z.minLength(5, 'Too short'))),
    partner: z.optional(z.string()),
  }),
  output: z.unknown(),
});

type SentBody = Record<string, unknown>;

type FormProps = { send: (input: SentBody) => Promise<void>; startEmail?: string; draft?: FormDraft };

function Form({ send, startEmail = '', draft }: FormProps) {
  const form = useContractForm<typeof signUp, { email: string; phone: string }>(signUp, {
    defaults: { email: startEmail, phone: '' },
    fixed: { partner: 'swoop' },
    checks: { email: (text) => (text.endsWith('.invalid') ? createRejection('This domain takes no mail') : parsed(text)) },
    ...(draft === undefined ? {} : { draft }),
    send,
  });
  return (
    <form onSubmit={(event) => void form.submit(event)}>
      <input aria-label="email" {...form.form.register('email')} />
      <p data-testid="email-error">{form.getError('email')}</p>
      <input aria-label="phone" {...form.form.register('phone')} />
      <p data-testid="phone-error">{form.getError('phone')}</p>
      <p data-testid="refusals">{form.serverErrors.map(({ field, message }) => `${field ?? '-'}=${message}`).join(';')}</p>
      {form.discardDraft !== undefined && (
        <button type="button" onClick={form.discardDraft}>
          Start again
        </button>
      )}
      <button type="submit" disabled={!form.canSubmit}>
        Go
      </button>
    </form>
  );
}

const getEmailField = () => screen.getByLabelText('email');
const getGoButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Go' });
const getText = (id: string) => screen.getByTestId(id).textContent;

async function type(field: HTMLElement, value: string): Promise<void> {
  await act(async () => {
    fireEvent.input(field, { target: { value } });
  });
}
async function leave(field: HTMLElement): Promise<void> {
  await act(async () => {
    fireEvent.blur(field);
  });
}
async function press(): Promise<void> {
  await act(async () => {
    fireEvent.click(getGoButton());
  });
}
const renderForm = (send: (input: SentBody) => Promise<void>, startEmail = '') =>
  act(async () => void render(<Form send={send} startEmail={startEmail} />));

afterEach(cleanup);

describe('a contract form', () => {
  it('can be submitted once it is valid and changed', async () => {
    await renderForm(async () => undefined);
    expect(getGoButton().disabled).toBe(true);
    await type(getEmailField(), 'tessa');
    expect(getGoButton().disabled).toBe(true);
    await type(getEmailField(), 'tessa@brightwell.example');
    expect(getGoButton().disabled).toBe(false);
  });

  it('cannot be submitted unchanged, even if valid', async () => {
    await renderForm(async () => undefined, 'tessa@brightwell.example');
    expect(getGoButton().disabled).toBe(true);
  });

  it('cannot be submitted twice', async () => {
    const sends: SentBody[] = [];
    await renderForm((input) => {
      sends.push(input);
      return new Promise(() => undefined);
    });
    await type(getEmailField(), 'tessa@brightwell.example');
    await press();
    expect(getGoButton().disabled).toBe(true);
    await act(async () => {
      fireEvent.submit(getGoButton());
    });
    expect(sends).toHaveLength(1);
  });

  it('shows the error of a field only after it was left', async () => {
    await renderForm(async () => undefined);
    await type(getEmailField(), 'tessa@');
    expect(getText('email-error')).toBe('');
    await leave(getEmailField());
    expect(getText('email-error')).toBe('Invalid email address');
    expect(getText('phone-error')).toBe('');
  });

  it('applies the domain’s check in addition to the contract', async () => {
    await renderForm(async () => undefined);
    await type(getEmailField(), 'a@b.invalid');
    await leave(getEmailField());
    expect(getText('email-error')).toBe('This domain takes no mail');
    expect(getGoButton().disabled).toBe(true);
  });

  it('sends the fixed members and leaves out empty optional fields', async () => {
    const sends: SentBody[] = [];
    await renderForm(async (input) => void sends.push(input));
    await type(getEmailField(), 'tessa@brightwell.example');
    await press();
    expect(sends).toEqual([{ email: 'tessa@brightwell.example', partner: 'swoop' }]);
  });

  it('shows the server’s field error beside its field and in the summary', async () => {
    await renderForm(async () => {
      throw new ApiError({ status: 422, code: 'x', message: 'phone: is not a number', fieldErrors: { phone: 'is not a number' } });
    });
    await type(getEmailField(), 'tessa@brightwell.example');
    await press();
    expect(getText('phone-error')).toBe('is not a number');
    expect(getText('refusals')).toBe('phone=is not a number');
  });

  it('shows other server errors in the summary only and can be submitted again', async () => {
    await renderForm(async () => {
      throw new ApiError({ status: 502, code: 'hmrc.unavailable', message: 'HMRC did not answer. Try again in a minute.' });
    });
    await type(getEmailField(), 'tessa@brightwell.example');
    await press();
    expect(getText('refusals')).toBe('-=HMRC did not answer. Try again in a minute.');
    expect(getGoButton().disabled).toBe(false);
  });
});

describe('a form with a draft', () => {
  const draft: FormDraft = { name: 'sign-up', fields: ['email'] };
  const renderDraftForm = (send: (input: SentBody) => Promise<void>) => act(async () => void render(<Form send={send} draft={draft} />));
  const getEmailValue = () => screen.getByLabelText<HTMLInputElement>('email').value;

  afterEach(() => sessionStorage.clear());

  it('restores the draft, ready to submit', async () => {
    await renderDraftForm(async () => undefined);
    await type(getEmailField(), 'tessa@brightwell.example');
    cleanup();
    await renderDraftForm(async () => undefined);
    expect(getEmailValue()).toBe('tessa@brightwell.example');
    expect(getGoButton().disabled).toBe(false);
  });

  it('offers to discard the restored draft', async () => {
    await renderDraftForm(async () => undefined);
    expect(screen.queryByText('Start again')).toBeNull();
    await type(getEmailField(), 'tessa@brightwell.example');
    cleanup();
    await renderDraftForm(async () => undefined);
    await act(async () => {
      fireEvent.click(screen.getByText('Start again'));
    });
    expect(getEmailValue()).toBe('');
    expect(readDraft(draft)).toEqual({});
    expect(screen.queryByText('Start again')).toBeNull();
  });

  it('shows the errors of restored fields', async () => {
    await renderDraftForm(async () => undefined);
    await type(getEmailField(), 'tessa@');
    cleanup();
    await renderDraftForm(async () => undefined);
    expect(getText('email-error')).toBe('Invalid email address');
  });

  it('saves no draft if the text is the initial one', async () => {
    await renderDraftForm(async () => undefined);
    await type(getEmailField(), 'tessa@brightwell.example');
    await type(getEmailField(), '');
    expect(sessionStorage).toHaveLength(0);
  });

  it('ignores a draft if the saved value has changed since', async () => {
    await renderDraftForm(async () => undefined);
    await type(getEmailField(), 'tessa@brightwell.example');
    cleanup();
    await act(async () => void render(<Form send={async () => undefined} draft={draft} startEmail="carl@harlow.example" />));
    expect(getEmailValue()).toBe('carl@harlow.example');
  });

  it('saves no other fields', async () => {
    await renderDraftForm(async () => undefined);
    await type(getEmailField(), 'tessa@brightwell.example');
    await type(screen.getByLabelText('phone'), '07700900123');
    expect(JSON.stringify(sessionStorage)).not.toContain('07700900123');
    expect(readDraft({ name: 'sign-up', fields: ['email', 'phone'] })).toEqual({ email: 'tessa@brightwell.example' });
  });

  it('deletes the draft after a successful submit and keeps it after a failure', async () => {
    let tries = 0;
    await renderDraftForm(async () => {
      if (tries++ === 0) throw new ApiError({ status: 401, code: 'session.unauthorized', message: 'Unauthorized' });
    });
    await type(getEmailField(), 'tessa@brightwell.example');
    await press();
    expect(readDraft(draft)).toEqual({ email: 'tessa@brightwell.example' });
    await press();
    expect(readDraft(draft)).toEqual({});
  });

  it.each(['not json', 'null', '"text"', '{"email":7}', '{"email":[7,""]}', '{"partner":["azets",""]}'])(
    'starts empty if the storage contains %s',
    async (storedText) => {
      sessionStorage.setItem('form-draft:sign-up', storedText);
      await renderDraftForm(async () => undefined);
      expect(getEmailValue()).toBe('');
    },
  );

  it('is separate from the draft of another form', () => {
    saveDraft({ name: 'contact', fields: ['email'] }, { email: 'carl@harlow.example' });
    expect(readDraft(draft)).toEqual({});
  });

  it('keeps a visitor’s draft when they sign in and deletes it for another user', () => {
    saveDraft(draft, { email: 'typed' });
    claimDrafts('tessa@brightwell.example');
    claimDrafts('tessa@brightwell.example');
    expect(readDraft(draft)).toEqual({ email: 'typed' });
    claimDrafts('carl@harlow.example');
    expect(readDraft(draft)).toEqual({});
  });
});
