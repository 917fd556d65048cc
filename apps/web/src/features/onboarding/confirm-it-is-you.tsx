/** Asks for the user's strongest factor before changing the bank account. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { onboardingApi } from '@portal/contract/onboarding.ts';
import { securityApi } from '@portal/contract/security.ts';
import { createRejection, parsed, type Parsed } from '@portal/domain/parsed.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import type { ContractForm } from '../../lib/contract-form.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { getPasskeyAssertion, getPasskeyErrorMessage, type PasskeyAssertion } from '../../lib/passkey.ts';
import { Button } from '../../ui/button.tsx';
import { FormField } from '../../ui/form-field.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Heading, Text } from '../../ui/text.tsx';

export type BankAccountValues = {
  account_holder: string;
  sort_code: string;
  account_number: string;
  confirm_code: string;
  confirm_password: string;
  emailed_code: string;
};

/** Data that the form sends besides its fields. */
export type ConfirmationState = { readonly passkey?: PasskeyAssertion; readonly emailed_code_id?: string };

type ConfirmProps = {
  form: ContractForm<BankAccountValues>;
  companyId: string;
  state: ConfirmationState;
  onChange: (state: ConfirmationState) => void;
};

type Factors = Pick<EndpointOutput<typeof securityApi.get>, 'passkeys' | 'authenticator' | 'has_password'>;

/** Returns the field that has to be filled in to confirm. A passkey needs no field. */
export function getConfirmationChecks(factors: Factors | undefined) {
  if (factors === undefined || factors.passkeys.length > 0) return {};
  if (factors.authenticator !== null) return { confirm_code: requireText('Enter the code from your authenticator app.') };
  return factors.has_password
    ? { confirm_password: requireText('Enter your password.') }
    : { emailed_code: requireText('Enter the code from our email.') };
}

const requireText =
  (reason: string) =>
  (text: string): Parsed<string> =>
    text.trim() === '' ? createRejection(reason) : parsed(text);

export function ConfirmItIsYou(props: ConfirmProps) {
  const security = useQuery(apiQuery(securityApi.get, {}));
  return (
    <Stack gap={16}>
      <Heading level={2} size="part">
        Confirm that it’s you
      </Heading>
      <LoadState query={security}>
        {({ passkeys, authenticator, has_password: hasPassword }) => {
          if (passkeys.length > 0 || authenticator !== null) {
            return <StrongFactors {...props} hasPasskey={passkeys.length > 0} hasAuthenticator={authenticator !== null} />;
          }
          return hasPassword ? (
            <FormField form={props.form} name="confirm_password" label="Your password" type="password" autoComplete="current-password" />
          ) : (
            <EmailedCode {...props} />
          );
        }}
      </LoadState>
    </Stack>
  );
}

function StrongFactors({
  form,
  state,
  onChange,
  hasPasskey,
  hasAuthenticator,
}: ConfirmProps & { hasPasskey: boolean; hasAuthenticator: boolean }) {
  const use = useMutation({ mutationFn: getPasskeyAssertion, onSuccess: (passkey) => onChange({ passkey }) });
  return (
    <>
      {hasPasskey && (
        <div>
          <Button variant="outlined" onClick={() => use.mutate()} isBusy={use.isPending}>
            Use your passkey
          </Button>
          {state.passkey !== undefined && <Text role="status">Passkey confirmed. You can now change the account.</Text>}
          {use.error !== null && (
            <Text role="alert" tone="error">
              {getPasskeyErrorMessage(use.error)}
            </Text>
          )}
        </div>
      )}
      {hasAuthenticator && (
        <FormField
          form={form}
          name="confirm_code"
          label={hasPasskey ? 'Or a code from your authenticator app' : 'Code from your authenticator app'}
          inputMode="numeric"
          autoComplete="one-time-code"
          widthInCharacters={12}
        />
      )}
    </>
  );
}

function EmailedCode({ form, companyId, state, onChange }: ConfirmProps) {
  const send = useMutation({
    mutationFn: () => apiRequest(onboardingApi.emailBankAccountCode, { company_id: companyId }),
    onSuccess: (output) => onChange(output),
  });
  return (
    <>
      <div>
        <Button variant="outlined" onClick={() => send.mutate()} isBusy={send.isPending}>
          {state.emailed_code_id === undefined ? 'Email me a code' : 'Email a new code'}
        </Button>
        {send.error !== null && (
          <Text role="alert" tone="error">
            {getErrorText(send.error)}
          </Text>
        )}
      </div>
      {state.emailed_code_id !== undefined && (
        <FormField
          form={form}
          name="emailed_code"
          label="Code from our email"
          hint="6 digits. It’s valid for 10 minutes."
          inputMode="numeric"
          autoComplete="one-time-code"
          widthInCharacters={12}
        />
      )}
    </>
  );
}
