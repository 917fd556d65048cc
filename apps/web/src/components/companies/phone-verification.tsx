/** Verifies a mobile number: enter the number, then the code that was texted to it. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { verificationApi } from '@portal/contract/verification.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { useContractForm } from '../../lib/contract-form.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { ApiError } from '../../lib/problem-to-error.ts';
import { getSandboxUrl } from '../../lib/settings.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorSummary } from '../../ui/error-summary.tsx';
import { FormField } from '../../ui/form-field.tsx';
import { FormPanel } from '../../ui/form-panel.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { useToast } from '../../ui/toast.tsx';
import styles from './phone-verification.module.css';

type CodeOutcome = EndpointOutput<typeof verificationApi.checkPhoneCode>['outcome'];

/** Messages for rejected codes. */
const REJECTION_MESSAGES: Readonly<Record<Exclude<CodeOutcome, 'approved'>, string>> = {
  wrong_code: 'That code isn’t right. Check the latest text message and try again',
  expired: 'That code has expired. Send a new one',
  // After five failed attempts a code expires, and a new one can't be sent for ten minutes (Twilio, error 60202).
  too_many_attempts: 'Too many attempts. Wait 10 minutes, then send a new code',
};

type PhoneVerificationProps = { phone: string | null; onConfirmed: () => Promise<void> };

export function PhoneVerification({ phone, onConfirmed }: PhoneVerificationProps) {
  const [sentTo, setSentTo] = useState<string | undefined>(undefined);
  return sentTo === undefined ? (
    <NumberForm phone={phone} setSentTo={setSentTo} />
  ) : (
    <CodeForm sentTo={sentTo} setSentTo={setSentTo} onConfirmed={onConfirmed} />
  );
}

function NumberForm({ phone, setSentTo }: { phone: string | null; setSentTo: (sentTo: string) => void }) {
  const form = useContractForm<typeof verificationApi.savePhone, { phone: string }>(verificationApi.savePhone, {
    idPrefix: 'phone',
    defaults: { phone: phone ?? '' },
    startsChanged: phone !== null,
    draft: { name: 'mobile-number', fields: ['phone'] },
    send: async (input) => {
      await apiRequest(verificationApi.savePhone, input);
      const { sent_to } = await apiRequest(verificationApi.sendPhoneVerification, {});
      setSentTo(sent_to);
    },
  });
  return (
    <FormPanel form={form} submitLabel="Text me a code" busyLabel="Sending the code…">
      <FormField
        form={form}
        name="phone"
        label="Mobile number"
        hint="We’ll text you a code. For a number outside the UK, start with + and the country code."
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        widthInCharacters={20}
      />
    </FormPanel>
  );
}

type CodeFormProps = { sentTo: string; setSentTo: (sentTo: string | undefined) => void; onConfirmed: () => Promise<void> };

function CodeForm({ sentTo, setSentTo, onConfirmed }: CodeFormProps) {
  const toast = useToast();
  const form = useContractForm<typeof verificationApi.checkPhoneCode, { code: string }>(verificationApi.checkPhoneCode, {
    idPrefix: 'phone',
    defaults: { code: '' },
    send: async (input) => {
      const { outcome } = await apiRequest(verificationApi.checkPhoneCode, input);
      if (outcome !== 'approved') {
        // Shown beside the field, like other validation errors.
        throw new ApiError({
          status: 422,
          code: `phone.${outcome}`,
          message: REJECTION_MESSAGES[outcome],
          fieldErrors: { code: REJECTION_MESSAGES[outcome] },
        });
      }
      await onConfirmed();
      toast('success', 'Mobile number confirmed');
    },
  });
  const resend = useMutation({
    mutationFn: () => apiRequest(verificationApi.resendPhoneCode, {}),
    onSuccess: () => form.form.reset({ code: '' }),
  });
  const sandbox = getSandboxUrl();
  return (
    <>
      <Text className={styles.sent}>
        We’ve texted a code to <strong>{sentTo}</strong>.{' '}
        {sandbox !== '' && (
          <>
            The sandbox doesn’t send text messages. You’ll find the code in the{' '}
            <TextLink href={`${sandbox}/mailbox`} target="_blank" rel="noreferrer">
              sandbox’s mailbox
            </TextLink>
            .
          </>
        )}
      </Text>
      {resend.error !== null && <ErrorSummary errors={[{ field: undefined, message: getErrorText(resend.error) }]} />}
      <FormPanel
        form={form}
        submitLabel="Confirm number"
        busyLabel="Checking…"
        otherActions={
          <>
            <Button variant="text" onClick={() => resend.mutate()} disabled={resend.isPending}>
              {resend.isPending ? 'Sending…' : 'Send the code again'}
            </Button>
            <Button variant="text" onClick={() => setSentTo(undefined)}>
              Change number
            </Button>
          </>
        }
      >
        <FormField form={form} name="code" label="Code" inputMode="numeric" autoComplete="one-time-code" widthInCharacters={10} />
      </FormPanel>
      <HiddenText role="status">{resend.isSuccess ? `We’ve sent another code to ${resend.data.sent_to}` : ''}</HiddenText>
    </>
  );
}
