/** Asks the user to reauthenticate with their strongest method before a request that requires it. */
import { securityApi } from '@portal/contract/security.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery, apiRequest } from '../lib/api.ts';
import { useContractForm } from '../lib/contract-form.ts';
import { getErrorText } from '../lib/error-text.ts';
import { confirmWithPasskey, getPasskeyErrorMessage, supportsPasskeys } from '../lib/passkey.ts';
import { Button } from '../ui/button.tsx';
import { FormField } from '../ui/form-field.tsx';
import { FormPanel } from '../ui/form-panel.tsx';
import { Stack } from '../ui/layout.tsx';
import { LoadState } from '../ui/load-state.tsx';
import { ModalDialog } from '../ui/modal-dialog.tsx';
import { Notice } from '../ui/notice.tsx';
import { Text } from '../ui/text.tsx';

type DialogProps = {
  /** Called with true if the user has confirmed, or false if they cancelled. */
  onAnswer: (isConfirmed: boolean) => void;
};

export function FactorDialog({ onAnswer }: DialogProps) {
  const security = useQuery(apiQuery(securityApi.get, {}));
  return (
    <ModalDialog open small heading="Confirm that it’s you" onClose={() => onAnswer(false)}>
      <Stack>
        <Text>We ask again every ten minutes, because what you’re about to do moves money or changes who has access.</Text>
        <LoadState query={security}>
          {({ passkeys, authenticator, has_password: hasPassword }) => {
            if (authenticator !== null) return <CodeForm onAnswer={onAnswer} hasPasskey={passkeys.length > 0} />;
            if (passkeys.length > 0) return <PasskeyButton onAnswer={onAnswer} />;
            return hasPassword ? <PasswordForm onAnswer={onAnswer} /> : <EmailedCode onAnswer={onAnswer} />;
          }}
        </LoadState>
      </Stack>
    </ModalDialog>
  );
}

function CodeForm({ onAnswer, hasPasskey }: DialogProps & { hasPasskey: boolean }) {
  const form = useContractForm<typeof securityApi.confirmFactor, { code: string }>(securityApi.confirmFactor, {
    idPrefix: 'factor',
    defaults: { code: '' },
    send: async ({ code }) => {
      await apiRequest(securityApi.confirmFactor, { code });
      onAnswer(true);
    },
  });
  return (
    <>
      <FormPanel form={form} submitLabel="Confirm" busyLabel="Checking…">
        <FormField
          form={form}
          name="code"
          label="Code from your app, or a recovery code"
          autoComplete="one-time-code"
          widthInCharacters={22}
        />
      </FormPanel>
      {hasPasskey && supportsPasskeys() && <PasskeyButton onAnswer={onAnswer} />}
    </>
  );
}

function PasskeyButton({ onAnswer }: DialogProps) {
  const passkey = useMutation({ mutationFn: confirmWithPasskey, onSuccess: () => onAnswer(true) });
  return (
    <>
      {passkey.error && (
        <Notice tone="error" title="Passkey not accepted" role="alert">
          {getPasskeyErrorMessage(passkey.error)}
        </Notice>
      )}
      <div>
        <Button variant="outlined" onClick={() => passkey.mutate()} isBusy={passkey.isPending}>
          Use a passkey
        </Button>
      </div>
    </>
  );
}

function PasswordForm({ onAnswer }: DialogProps) {
  const form = useContractForm<typeof securityApi.confirmFactor, { password: string }>(securityApi.confirmFactor, {
    idPrefix: 'factor',
    defaults: { password: '' },
    send: async ({ password }) => {
      await apiRequest(securityApi.confirmFactor, { password });
      onAnswer(true);
    },
  });
  return (
    <FormPanel form={form} submitLabel="Confirm" busyLabel="Checking…">
      <FormField form={form} name="password" label="Your password" type="password" autoComplete="current-password" />
    </FormPanel>
  );
}

function EmailedCode({ onAnswer }: DialogProps) {
  const [codeId, setCodeId] = useState<string>();
  const send = useMutation({
    mutationFn: () => apiRequest(securityApi.emailConfirmationCode, {}),
    onSuccess: ({ emailed_code_id: id }) => setCodeId(id),
  });
  return (
    <>
      <div>
        <Button variant="outlined" onClick={() => send.mutate()} isBusy={send.isPending}>
          {codeId === undefined ? 'Email me a code' : 'Email a new code'}
        </Button>
      </div>
      {send.error !== null && (
        <Text role="alert" tone="error">
          {getErrorText(send.error)}
        </Text>
      )}
      {codeId !== undefined && <EmailedCodeForm key={codeId} codeId={codeId} onAnswer={onAnswer} />}
    </>
  );
}

function EmailedCodeForm({ codeId, onAnswer }: DialogProps & { codeId: string }) {
  const form = useContractForm<typeof securityApi.confirmFactor, { emailed_code: string }>(securityApi.confirmFactor, {
    idPrefix: 'factor',
    defaults: { emailed_code: '' },
    fixed: { emailed_code_id: codeId },
    send: async ({ emailed_code }) => {
      await apiRequest(securityApi.confirmFactor, { emailed_code, emailed_code_id: codeId });
      onAnswer(true);
    },
  });
  return (
    <FormPanel form={form} submitLabel="Confirm" busyLabel="Checking…">
      <FormField
        form={form}
        name="emailed_code"
        label="Code from our email"
        hint="6 digits. It’s valid for 10 minutes."
        inputMode="numeric"
        autoComplete="one-time-code"
        widthInCharacters={12}
      />
    </FormPanel>
  );
}
