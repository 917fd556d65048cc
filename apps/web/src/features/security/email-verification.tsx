/** The email address: verified, or how to verify it. */
import { verificationApi } from '@portal/contract/verification.ts';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useMutation } from '@tanstack/react-query';
import { apiRequest } from '../../lib/api.ts';
import { sandboxUrl } from '../../lib/settings.ts';
import { Notice } from '../../ui/notice.tsx';
import { ActionError } from './action-error.tsx';

/** For an unverified address: sends the link, or sends it again. */
export function EmailVerification({ email }: { email: string }) {
  const send = useMutation({ mutationFn: () => apiRequest(verificationApi.sendEmailVerification, {}) });
  const sandbox = sandboxUrl();
  return (
    <>
      {send.isSuccess ? (
        <Notice tone="info" title={`We sent a link to ${email}`} role="status">
          Open it and press the button there. It works once and for 30 minutes. Nothing there after two minutes? Look in the spam folder,
          then send it again.
          {sandbox !== '' && (
            <>
              {' '}
              In the sandbox it is in the{' '}
              <Link href={`${sandbox}/mailbox`} target="_blank" rel="noreferrer">
                sandbox’s mailbox
              </Link>
              .
            </>
          )}
        </Notice>
      ) : (
        <Typography sx={{ color: 'text.secondary' }}>We send you a link; opening it and pressing its button proves the address.</Typography>
      )}
      <ActionError error={send.error} />
      <Button variant="outlined" sx={{ mt: 2 }} onClick={() => send.mutate()} disabled={send.isPending}>
        {send.isPending ? 'Sending the link ...' : send.isSuccess ? 'Send the link again' : 'Send the link'}
      </Button>
    </>
  );
}
