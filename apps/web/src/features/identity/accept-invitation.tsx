/**
 * Lets someone accept an invitation: with the account they are logged in to, after logging in, or with a new account. Only the button uses
 * up the link.
 */
import type { clientInvitationsApi } from '@portal/contract/client-invitations.ts';
import { PAGES } from '@portal/contract/pages.ts';
import type { teamInvitationsApi } from '@portal/contract/team-invitations.ts';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { apiRequest } from '../../lib/api.ts';
import { clientText } from '../../lib/client-texts/client-texts.ts';
import { useContractForm } from '../../lib/contract-form.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { savePostLoginPath } from '../../lib/post-login-path.ts';
import { saveCompanyId } from '../../lib/saved-company-id.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { FormField } from '../../ui/form-field.tsx';
import { FormPanel } from '../../ui/form-panel.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Text } from '../../ui/text.tsx';
import { useFinishSignIn } from './finish-sign-in.ts';

/** Both endpoints that accept invitations have the same input and output. */
type AcceptEndpoint = typeof teamInvitationsApi.accept & typeof clientInvitationsApi.accept;

type InvitationInfo = {
  token: string;
  /** The invitation's page, to which the user returns after logging in. */
  page: `/${string}`;
  accept: AcceptEndpoint;
  /** The label of the button that accepts, for example "Join Oakline". */
  acceptLabel: string;
};

type AcceptInvitationProps = InvitationInfo & {
  /** The invited email address. */
  email: string;
  hasAccount: boolean;
  /** The email address of the account that is logged in, if any. */
  ownEmail: string | undefined;
};

export function AcceptInvitation({ email, hasAccount, ownEmail, ...invited }: AcceptInvitationProps) {
  if (ownEmail === email) return <AcceptButton {...invited} />;
  if (ownEmail !== undefined) return <OtherAccount {...invited} email={email} ownEmail={ownEmail} />;
  return hasAccount ? <LogInFirst {...invited} /> : <NewAccount {...invited} />;
}

/** After someone joins, pages open the new practice or client by default. */
function useOpenHome() {
  const navigate = useNavigate();
  const finishSignIn = useFinishSignIn();
  return async (homePath: string) => {
    await finishSignIn();
    saveCompanyId(new URLSearchParams(homePath.split('?')[1] ?? '').get('company_id') ?? '');
    await navigate(homePath, { replace: true });
  };
}

function AcceptButton({ token, accept: endpoint, acceptLabel }: InvitationInfo) {
  const openHome = useOpenHome();
  const accept = useMutation({
    mutationFn: () => apiRequest(endpoint, { token }),
    onSuccess: ({ home_path: homePath }) => openHome(homePath),
  });
  return (
    <>
      {accept.error && (
        <Notice tone="error" title={clientText('join.failed')} role="alert">
          {getErrorText(accept.error)}
        </Notice>
      )}
      <ButtonRow>
        <Button onClick={() => accept.mutate()} isBusy={accept.isPending}>
          {acceptLabel}
        </Button>
      </ButtonRow>
    </>
  );
}

function OtherAccount({ email, ownEmail, ...invited }: InvitationInfo & { email: string; ownEmail: string }) {
  return (
    <>
      <Notice tone="warning" title={clientText('join.other', { own: ownEmail })}>
        {clientText('join.other.text', { email, own: ownEmail })}
      </Notice>
      <ReturnLink {...invited} to={PAGES.logout.path} isAfterLogOut>
        {clientText('join.log_out')}
      </ReturnLink>
    </>
  );
}

function LogInFirst(invited: InvitationInfo) {
  return (
    <>
      <Text tone="quiet">{clientText('join.has_account')}</Text>
      <ReturnLink {...invited} to={PAGES.loginV2.path}>
        {clientText('join.log_in')}
      </ReturnLink>
    </>
  );
}

type ReturnLinkProps = Pick<InvitationInfo, 'token' | 'page'> & {
  to: string;
  isAfterLogOut?: boolean;
  isSecondary?: boolean;
  children: ReactNode;
};

/** Leaves the page to log in, and returns to this invitation afterwards. */
function ReturnLink({ token, page, to, isAfterLogOut = false, isSecondary = false, children }: ReturnLinkProps) {
  const navigate = useNavigate();
  return (
    <ButtonRow>
      <Button
        variant={isSecondary ? 'text' : 'filled'}
        onClick={() => {
          // Logging out clears local storage first (docs/product/specification.md section 4).
          if (isAfterLogOut) localStorage.clear();
          savePostLoginPath(`${page}?${new URLSearchParams({ token })}`);
          void navigate(to);
        }}
      >
        {children}
      </Button>
    </ButtonRow>
  );
}

function NewAccount({ token, page, accept: endpoint }: InvitationInfo) {
  const openHome = useOpenHome();
  const form = useContractForm<AcceptEndpoint, { full_name: string; password: string }>(endpoint, {
    idPrefix: 'join',
    defaults: { full_name: '', password: '' },
    fixed: { token },
    checks: {
      full_name: (text) => (text.trim() === '' ? { ok: false, reason: clientText('join.name.missing') } : { ok: true, value: text }),
    },
    send: async (input) => {
      const { home_path: homePath } = await apiRequest(endpoint, input);
      await openHome(homePath);
    },
  });
  return (
    <>
      <FormPanel form={form} submitLabel={clientText('join.create')} busyLabel={clientText('join.creating')}>
        <FormField form={form} name="full_name" label={clientText('join.name')} autoComplete="name" />
        <FormField
          form={form}
          name="password"
          label={clientText('join.password')}
          hint={clientText('join.password.hint')}
          optional
          type="password"
          autoComplete="new-password"
        />
      </FormPanel>
      <ReturnLink token={token} page={page} to={PAGES.loginV2.path} isSecondary>
        {clientText('join.other_account')}
      </ReturnLink>
    </>
  );
}
