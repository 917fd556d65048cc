/** Adds an authenticator app with a secret and a code, or removes it with a code. */
import { securityApi } from '@portal/contract/security.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { useContractForm } from '../../lib/contract-form.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { InstantText } from '../../components/formats/date-text.tsx';
import { FormField } from '../../ui/form-field.tsx';
import { FormPanel } from '../../ui/form-panel.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { useToast } from '../../ui/toast.tsx';
import { ActionError } from './action-error.tsx';
import styles from './authenticator-card.module.css';
import { QrCode } from './qr-code.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { useInvalidateSecurity, type Security } from './use-security.ts';

type Stage =
  | { readonly name: 'idle' | 'removing' }
  | { readonly name: 'confirming'; readonly secret: string; readonly otpauthUrl: string }
  | { readonly name: 'codes'; readonly codes: readonly string[] };

export function AuthenticatorCard({ security }: { security: Security }) {
  const [stage, setStage] = useState<Stage>({ name: 'idle' });
  const startSetup = useMutation({
    mutationFn: () => apiRequest(securityApi.startAuthenticatorSetup, {}),
    onSuccess: ({ secret, otpauth_url }) => setStage({ name: 'confirming', secret, otpauthUrl: otpauth_url }),
  });
  const returnToIdle = () => setStage({ name: 'idle' });
  const currentAuthenticator = security.authenticator;
  return (
    <SectionCard
      title="Authenticator app"
      aside={
        currentAuthenticator !== null ? (
          <StateChip label="On" icon="check" tone="success" />
        ) : (
          stage.name === 'idle' && (
            <Button variant="outlined" size="small" onClick={() => startSetup.mutate()} isBusy={startSetup.isPending}>
              Set up app
            </Button>
          )
        )
      }
    >
      {stage.name === 'codes' ? (
        <RecoveryCodes codes={stage.codes} email={security.email} close={returnToIdle} />
      ) : stage.name === 'confirming' ? (
        <ConfirmForm stage={stage} toIdle={returnToIdle} showCodes={(codes) => setStage({ name: 'codes', codes })} />
      ) : currentAuthenticator === null ? (
        <Stack>
          <Text tone="quiet">Adds a second check when you log in. After your password, we ask for a code from an app on your phone.</Text>
          <ActionError error={startSetup.error} />
        </Stack>
      ) : (
        <Stack>
          <Text>
            On since <InstantText at={currentAuthenticator.confirmed_at} />.{' '}
            {getRecoveryCodesText(currentAuthenticator.recovery_codes_left)}
          </Text>
          {stage.name === 'removing' ? (
            <RemoveForm toIdle={returnToIdle} />
          ) : (
            <div>
              <Button variant="outlined" tone="error" onClick={() => setStage({ name: 'removing' })}>
                Remove app
              </Button>
            </div>
          )}
        </Stack>
      )}
    </SectionCard>
  );
}

function getRecoveryCodesText(remaining: number): string {
  if (remaining === 0) return 'You have no recovery codes left. To get new ones, remove the app and set it up again.';
  return remaining === 1 ? 'You have 1 recovery code left.' : `You have ${remaining} recovery codes left.`;
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
      <ol className={styles.steps}>
        <li>
          In your authenticator app, add an account and scan this code:
          <div className={styles.code}>
            <QrCode text={stage.otpauthUrl} label="QR code containing the key below" />
          </div>
          If the app is on this device, <TextLink href={stage.otpauthUrl}>open it here</TextLink>. If you can’t scan the code, enter this
          key:
          <Row className={styles.key}>
            <code>{groupInFours(stage.secret)}</code>
            <CopyButton text={stage.secret} what="key" />
          </Row>
        </li>
        <li>Enter the 6-digit code that the app shows.</li>
      </ol>
      <FormPanel
        form={form}
        submitLabel="Turn on"
        busyLabel="Checking…"
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
      toast('success', 'Authenticator app removed');
      toIdle();
    },
  });
  return (
    <FormPanel
      form={form}
      submitLabel="Remove app"
      busyLabel="Removing…"
      otherActions={
        <Button variant="text" onClick={toIdle}>
          Cancel
        </Button>
      }
    >
      <FormField
        form={form}
        name="code"
        label="Code from the app, or a recovery code"
        hint="We’ll stop asking for a code when you log in."
        autoComplete="one-time-code"
        widthInCharacters={22}
      />
    </FormPanel>
  );
}

/** Formats a secret in groups of four, which are easier to copy by hand. */
function groupInFours(text: string): string {
  return (text.replaceAll(/\s/g, '').match(/.{1,4}/g) ?? []).join(' ');
}
