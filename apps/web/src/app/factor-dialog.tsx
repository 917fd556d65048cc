/** Asks for a code from the authenticator app, a recovery code or a passkey, before something that needs one. */
import { securityApi } from '@portal/contract/security.ts';
import { useMutation } from '@tanstack/react-query';
import { apiRequest } from '../lib/api.ts';
import { useContractForm } from '../lib/contract-form.ts';
import { confirmWithPasskey, getPasskeyErrorMessage, supportsPasskeys } from '../lib/passkey.ts';
import { Button } from '../ui/button.tsx';
import { FormField } from '../ui/form-field.tsx';
import { FormPanel } from '../ui/form-panel.tsx';
import { Stack } from '../ui/layout.tsx';
import { ModalDialog } from '../ui/modal-dialog.tsx';
import { Notice } from '../ui/notice.tsx';
import { Text } from '../ui/text.tsx';

/** `onAnswer` gets true once a factor was accepted, false if the person cancelled. */
export function FactorDialog({ onAnswer }: { onAnswer: (isConfirmed: boolean) => void }) {
  const form = useContractForm<typeof securityApi.confirmFactor, { code: string }>(securityApi.confirmFactor, {
    idPrefix: 'factor',
    defaults: { code: '' },
    send: async ({ code }) => {
      await apiRequest(securityApi.confirmFactor, { code });
      onAnswer(true);
    },
  });
  const passkey = useMutation({ mutationFn: confirmWithPasskey, onSuccess: () => onAnswer(true) });
  return (
    <ModalDialog open small heading="Confirm that it’s you" onClose={() => onAnswer(false)} loading={passkey.isPending}>
      <Stack>
        <Text>
          We ask for this again when more than ten minutes have passed, because what you’re about to do moves money or changes access.
        </Text>
        {passkey.error && (
          <Notice tone="error" title="Passkey not accepted" role="alert">
            {getPasskeyErrorMessage(passkey.error)}
          </Notice>
        )}
        <FormPanel
          form={form}
          submitLabel="Confirm"
          busyLabel="Checking…"
          otherActions={
            supportsPasskeys() && (
              <Button variant="text" onClick={() => passkey.mutate()}>
                Use a passkey
              </Button>
            )
          }
        >
          <FormField
            form={form}
            name="code"
            label="Code from your app, or a recovery code"
            autoComplete="one-time-code"
            widthInCharacters={22}
          />
        </FormPanel>
      </Stack>
    </ModalDialog>
  );
}
