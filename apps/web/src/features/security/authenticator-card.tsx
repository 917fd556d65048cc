/** The authenticator app: set up with a secret and a code, removed with a code. */
import { securityApi } from '@portal/contract/security.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { useContractForm } from '../../lib/contract-form.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { InstantText } from '../../ui/date-text.tsx';
import { FormField } from '../../ui/form-field.tsx';
import { FormPanel } from '../../ui/form-panel.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { useToast } from '../../ui/toast.tsx';
import { ActionError } from './action-error.tsx';
import { QrCode } from './qr-code.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { useInvalidateSecurity, type Security } from './use-security.ts';

type Stage =
  | { readonly name: 'idle' | 'removing' }
  | { readonly name: 'confirming'; readonly secret: string; readonly otpauthUrl: string }
  | { readonly name: 'codes'; readonly codes: readonly string[] };

export function AuthenticatorCard({ security }: { security: Security }) {
  const [stage, setStage] = useState<Stage>({ name: 'idle' });
  const begin = useMutation({
    mutationFn: () => apiRequest(securityApi.startAuthenticatorSetup, {}),
    onSuccess: ({ secret, otpauth_url }) => setStage({ name: 'confirming', secret, otpauthUrl: otpauth_url }),
  });
  const toIdle = () => setStage({ name: 'idle' });
  const known = security.authenticator;
  return (
    <SectionCard
      title="Authenticator app"
      headingLevel={3}
      aside={known === null ? undefined : <StateChip label="On" icon="check" tone="success" />}
    >
      {stage.name === 'codes' ? (
        <RecoveryCodes codes={stage.codes} email={security.email} close={toIdle} />
      ) : stage.name === 'confirming' ? (
        <ConfirmForm stage={stage} toIdle={toIdle} showCodes={(codes) => setStage({ name: 'codes', codes })} />
      ) : known === null ? (
        <>
          <Typography sx={{ mb: 2, color: 'text.secondary' }}>
            An app on your phone shows a new code every 30 seconds. We then ask for it after your password.
          </Typography>
          <Button variant="outlined" onClick={() => begin.mutate()} disabled={begin.isPending}>
            {begin.isPending ? 'One moment ...' : 'Set up an app'}
          </Button>
          <ActionError error={begin.error} />
        </>
      ) : (
        <>
          <Typography sx={{ mb: 2 }}>
            On since <InstantText at={known.confirmed_at} />. {getRecoveryCodesText(known.recovery_codes_left)}
          </Typography>
          {stage.name === 'removing' ? (
            <RemoveForm toIdle={toIdle} />
          ) : (
            <Button variant="outlined" color="error" onClick={() => setStage({ name: 'removing' })}>
              Remove the app
            </Button>
          )}
        </>
      )}
    </SectionCard>
  );
}

function getRecoveryCodesText(left: number): string {
  if (left === 0) return 'You have no recovery codes left: remove the app and set it up again to get new ones.';
  return left === 1 ? 'You have 1 recovery code left.' : `You have ${left} recovery codes left.`;
}

type ConfirmFormProps = {
  stage: Extract<Stage, { name: 'confirming' }>;
  toIdle: () => void;
  showCodes: (codes: readonly string[]) => void;
};

function ConfirmForm({ stage, toIdle, showCodes }: ConfirmFormProps) {
  const invalidateSecurity = useInvalidateSecurity();
  const form = useContractForm<typeof securityApi.confirmAuthenticator, { code: string }>(securityApi.confirmAuthenticator, {
    idPrefix: 'authenticator',
    defaults: { code: '' },
    send: async (input) => {
      const { recovery_codes } = await apiRequest(securityApi.confirmAuthenticator, input);
      showCodes(recovery_codes);
      await invalidateSecurity();
    },
  });
  return (
    <>
      <Box component="ol" sx={{ m: 0, mb: 3, pl: 2.5, display: 'grid', gap: 2 }}>
        <li>
          Add an account in your authenticator app and point the camera at this code:
          <Box sx={{ my: 1.5 }}>
            <QrCode text={stage.otpauthUrl} label="QR code that holds the key below" />
          </Box>
          If the app is on this device, <Link href={stage.otpauthUrl}>open it here</Link>. Without a camera, type this key:
          <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5, alignItems: 'center', mt: 1 }}>
            <Box
              component="code"
              sx={{
                fontFamily: 'ui-monospace, Menlo, Consolas, monospace',
                fontWeight: 600,
                overflowWrap: 'anywhere',
                letterSpacing: '0.04em',
              }}
            >
              {groupInFours(stage.secret)}
            </Box>
            <CopyButton text={stage.secret} what="key" />
          </Box>
        </li>
        <li>Type the 6 digits that the app then shows.</li>
      </Box>
      <FormPanel
        form={form}
        submitLabel="Turn it on"
        busyLabel="Checking ..."
        otherActions={
          <Button variant="text" onClick={toIdle}>
            Cancel
          </Button>
        }
      >
        <FormField form={form} name="code" label="6-digit code" inputMode="numeric" autoComplete="one-time-code" widthInCharacters={10} />
      </FormPanel>
    </>
  );
}

function RemoveForm({ toIdle }: { toIdle: () => void }) {
  const invalidateSecurity = useInvalidateSecurity();
  const toast = useToast();
  const form = useContractForm<typeof securityApi.removeAuthenticator, { code: string }>(securityApi.removeAuthenticator, {
    idPrefix: 'authenticator',
    defaults: { code: '' },
    send: async (input) => {
      await apiRequest(securityApi.removeAuthenticator, input);
      await invalidateSecurity();
      toast('success', 'The authenticator app is removed');
      toIdle();
    },
  });
  return (
    <FormPanel
      form={form}
      submitLabel="Remove the app"
      busyLabel="Removing ..."
      otherActions={
        <Button variant="text" onClick={toIdle}>
          Keep it
        </Button>
      }
    >
      <FormField
        form={form}
        name="code"
        label="Code from the app, or a recovery code"
        hint="After this we no longer ask for a code when you log in."
        autoComplete="one-time-code"
        widthInCharacters={22}
      />
    </FormPanel>
  );
}

/** A secret in groups of four, as people read what they type by hand. */
function groupInFours(text: string): string {
  return (text.replaceAll(/\s/g, '').match(/.{1,4}/g) ?? []).join(' ');
}
