import { securityApi } from '@portal/contract/security.ts';
import { useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { useContractForm } from '../../lib/contract-form.ts';
import { ApiError } from '../../lib/problem-to-error.ts';
import { addPasskey, supportsPasskeys, getPasskeyErrorMessage } from '../../lib/passkey.ts';
import { Button } from '../../ui/button.tsx';
import { InstantText } from '../../components/formats/date-text.tsx';
import { FormField } from '../../ui/form-field.tsx';
import { FormPanel } from '../../ui/form-panel.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Stack } from '../../ui/layout.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { useToast } from '../../ui/toast.tsx';
import { ActionError } from './action-error.tsx';
import { ItemList, ItemRow } from './item-row.tsx';
import { useInvalidateSecurity, useSecurityAction, type Security } from './use-security.ts';

export function PasskeysCard({ security }: { security: Security }) {
  const [isAdding, setIsAdding] = useState(false);
  const remove = useSecurityAction((id: string) => apiRequest(securityApi.removePasskey, { passkey_id: id }), 'Passkey removed');
  const canAdd = supportsPasskeys();
  return (
    <SectionCard
      title="Passkeys"
      aside={
        canAdd &&
        !isAdding && (
          <Button variant="outlined" size="small" onClick={() => setIsAdding(true)}>
            Add passkey
          </Button>
        )
      }
    >
      <Stack>
        <Text tone="quiet">Log in with your fingerprint, face or device PIN. A passkey can’t be guessed or stolen by a fake website.</Text>
        {!canAdd && <Text>This browser doesn’t support passkeys. To add one, open this page in a newer browser.</Text>}
        {security.passkeys.length > 0 && (
          <ItemList label="Your passkeys">
            {security.passkeys.map((passkey) => (
              <ItemRow
                key={passkey.passkey_id}
                title={passkey.name}
                facts={
                  <>
                    Added <InstantText at={passkey.created_at} />
                    {passkey.last_used_at === null ? (
                      ' · Not used yet'
                    ) : (
                      <>
                        {' · Last used '}
                        <InstantText at={passkey.last_used_at} />
                      </>
                    )}
                  </>
                }
                action={
                  <Button
                    variant="text"
                    size="small"
                    tone="error"
                    disabled={remove.isPending}
                    onClick={() => remove.mutate(passkey.passkey_id)}
                  >
                    Remove<HiddenText> the passkey {passkey.name}</HiddenText>
                  </Button>
                }
              />
            ))}
          </ItemList>
        )}
        <ActionError error={remove.error} />
        {isAdding && <AddPasskeyForm close={() => setIsAdding(false)} />}
      </Stack>
    </SectionCard>
  );
}

function AddPasskeyForm({ close }: { close: () => void }) {
  const invalidateSecurity = useInvalidateSecurity();
  const toast = useToast();
  const form = useContractForm<typeof securityApi.addPasskey, { name: string }>(securityApi.addPasskey, {
    idPrefix: 'passkey',
    defaults: { name: '' },
    // The browser creates these values once the user has entered the name.
    fixed: { challenge_id: '', response: {} },
    send: async ({ name }) => {
      try {
        await addPasskey(name);
      } catch (error) {
        if (error instanceof ApiError) throw error;
        throw new ApiError({ status: 422, code: 'passkey.browser', message: getPasskeyErrorMessage(error) });
      }
      await invalidateSecurity();
      toast('success', 'Passkey added');
      close();
    },
  });
  return (
    <FormPanel
      form={form}
      submitLabel="Create passkey"
      busyLabel="Waiting for your device…"
      otherActions={
        <Button variant="text" onClick={close}>
          Cancel
        </Button>
      }
    >
      <FormField form={form} name="name" label="Passkey name" hint="To help you recognise it, for example “My phone”." autoComplete="off" />
    </FormPanel>
  );
}
