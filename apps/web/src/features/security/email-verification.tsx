/** Shows whether the email address is verified and, if not, how to verify it. */
import { verificationApi } from '@portal/contract/verification.ts';
import { useMutation } from '@tanstack/react-query';
import { apiRequest } from '../../lib/api.ts';
import { getSandboxUrl } from '../../lib/settings.ts';
import { Button } from '../../ui/button.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { ActionError } from './action-error.tsx';

/** Sends, or resends, the link for an unverified address. */
export function EmailVerification({ email }: { email: string }) {
  const send = useMutation({ mutationFn: () => apiRequest(verificationApi.sendEmailVerification, {}) });
  const sandbox = getSandboxUrl();
  return (
    <Stack align="start">
      {send.isSuccess ? (
        <Notice tone="info" title={`We sent a link to ${email}`} role="status">
          Open the link, then confirm on the page it opens. The link works once and expires after 30 minutes. If the email hasn’t arrived
          after two minutes, check your spam folder, then send it again.
          {sandbox !== '' && (
            <>
              {' '}
              In the sandbox, the email is in the{' '}
              <TextLink href={`${sandbox}/mailbox`} target="_blank" rel="noreferrer">
                sandbox’s mailbox
              </TextLink>
              .
            </>
          )}
        </Notice>
      ) : (
        <Text tone="quiet">We’ll email you a link. It opens a page where you confirm your address.</Text>
      )}
      <ActionError error={send.error} />
      <Button variant="outlined" onClick={() => send.mutate()} isBusy={send.isPending}>
        {send.isSuccess ? 'Send link again' : 'Send link'}
      </Button>
    </Stack>
  );
}
