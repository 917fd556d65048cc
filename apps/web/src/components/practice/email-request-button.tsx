import { authorisationRequestsApi } from '@portal/contract/authorisation-requests.ts';
import { authorisationsApi, type RequestEmail } from '@portal/contract/authorisations.ts';
import type { AgentTax } from '@portal/domain/uk-tax/tax.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Text } from '../../ui/text.tsx';

type EmailRequestButtonProps = {
  companyId: string;
  clientId: string;
  tax: AgentTax;
  email: RequestEmail | null;
  /** Added to the label for screen readers, for example "for VAT". */
  what: string;
};

/** Emails the link for a pending request. Retrying after a lost response doesn't send it twice, because the message ID stays the same. */
export function EmailRequestButton({ companyId, clientId, tax, email, what }: EmailRequestButtonProps) {
  const queryClient = useQueryClient();
  const messageId = useRef(crypto.randomUUID());
  const send = useMutation({
    mutationFn: () =>
      apiRequest(authorisationsApi.email, { company_id: companyId, client_id: clientId, tax, message_id: messageId.current }),
    onSuccess: () => {
      messageId.current = crypto.randomUUID();
    },
    onSettled: () =>
      Promise.all(
        [authorisationsApi.agentDetails.path, authorisationRequestsApi.links.path].map((path) =>
          queryClient.invalidateQueries({ queryKey: [path] }),
        ),
      ),
  });
  const isOnItsWay = email?.status === 'queued' || email?.status === 'sending' || email?.status === 'no_link';
  if (isOnItsWay) return null;
  return (
    <>
      <Button size="small" variant="outlined" isBusy={send.isPending} onClick={() => send.mutate()}>
        {email === null || email.status === 'no_email' ? 'Email it to the client' : 'Email it again'} <HiddenText>{what}</HiddenText>
      </Button>
      {send.error !== null && (
        <Text role="alert" size="small" tone="error">
          {getErrorText(send.error)}
        </Text>
      )}
    </>
  );
}
