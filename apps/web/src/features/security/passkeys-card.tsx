import { securityApi } from '@portal/contract/security.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { useContractForm } from '../../lib/contract-form.ts';
import { ApiError } from '../../lib/problem-to-error.ts';
import { InstantText } from '../../ui/date-text.tsx';
import { FormField } from '../../ui/form-field.tsx';
import { FormPanel } from '../../ui/form-panel.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { useToast } from '../../ui/toast.tsx';
import { addPasskey, supportsPasskeys, getPasskeyErrorMessage } from '../../lib/passkey.ts';
import { ActionError } from './action-error.tsx';
import { ItemList, ItemRow } from './item-row.tsx';
import { useInvalidateSecurity, useSecurityAction, type Security } from './use-security.ts';

export function PasskeysCard({ security }: { security: Security }) {
  const [isAdding, setIsAdding] = useState(false);
  const remove = useSecurityAction((id: string) => apiRequest(securityApi.removePasskey, { passkey_id: id }), 'The passkey is removed');
  const canAdd = supportsPasskeys();
  return (
    <SectionCard
      title="Passkeys"
      headingLevel={3}
      aside={
        canAdd &&
        !isAdding && (
          <Button variant="outlined" size="small" onClick={() => setIsAdding(true)}>
            Add a passkey
          </Button>
        )
      }
    >
      <Typography sx={{ color: 'text.secondary' }}>
        A passkey logs you in by your fingerprint, your face or your device’s PIN. Nobody can trick you into giving it away.
      </Typography>
      {!canAdd && <Typography sx={{ mt: 1 }}>This browser cannot make passkeys. Open this page in a newer one to add yours.</Typography>}
      {security.passkeys.length > 0 && (
        <Box sx={{ mt: 1 }}>
          <ItemList label="Your passkeys">
            {security.passkeys.map((passkey) => (
              <ItemRow
                key={passkey.passkey_id}
                title={passkey.name}
                facts={
                  <>
                    Added <InstantText at={passkey.created_at} />
                    {passkey.last_used_at === null ? (
                      '; not used yet'
                    ) : (
                      <>
                        ; last used <InstantText at={passkey.last_used_at} />
                      </>
                    )}
                  </>
                }
                action={
                  <Button
                    variant="text"
                    size="small"
                    color="error"
                    disabled={remove.isPending}
                    onClick={() => remove.mutate(passkey.passkey_id)}
                  >
                    Remove<HiddenText> the passkey {passkey.name}</HiddenText>
                  </Button>
                }
              />
            ))}
          </ItemList>
        </Box>
      )}
      <ActionError error={remove.error} />
      {isAdding && <AddPasskeyForm close={() => setIsAdding(false)} />}
    </SectionCard>
  );
}

function AddPasskeyForm({ close }: { close: () => void }) {
  const invalidateSecurity = useInvalidateSecurity();
  const toast = useToast();
  const form = useContractForm<typeof securityApi.addPasskey, { name: string }>(securityApi.addPasskey, {
    idPrefix: 'passkey',
    defaults: { name: '' },
    // The browser creates these values once the name is known.
    fixed: { challenge_id: '', response: {} },
    send: async ({ name }) => {
      try {
        await addPasskey(name);
      } catch (error) {
        if (error instanceof ApiError) throw error;
        throw new ApiError({ status: 422, code: 'passkey.browser', message: getPasskeyErrorMessage(error) });
      }
      await invalidateSecurity();
      toast('success', 'The passkey is added');
      close();
    },
  });
  return (
    <Box sx={{ mt: 3 }}>
      <FormPanel
        form={form}
        submitLabel="Make the passkey"
        busyLabel="Waiting for your device ..."
        otherActions={
          <Button variant="text" onClick={close}>
            Cancel
          </Button>
        }
      >
        <FormField
          form={form}
          name="name"
          label="Name of the passkey"
          hint="So that you know it again, for example “My phone”."
          autoComplete="off"
        />
      </FormPanel>
    </Box>
  );
}
