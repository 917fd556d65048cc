import type { ClientSelection } from '@portal/contract/clients.ts';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { usePermission } from '../../lib/practice-profile.ts';

const InviteClientsDialog = lazy(() => import('./invite-clients-dialog.tsx').then((file) => ({ default: file.InviteClientsDialog })));

type ChosenClients = { readonly selection: ClientSelection; readonly count: number };
type InviteButtonProps = { companyId: string; chosen: ChosenClients; isDisabled: boolean };

/** Opens the dialog for inviting the selected clients to the client portal. Shown to users who have the permission. */
export function InviteButton({ companyId, chosen, isDisabled }: InviteButtonProps) {
  const mayInvite = usePermission(companyId, 'invite_clients');
  const [clientsToInvite, setClientsToInvite] = useState<ChosenClients | null>(null);
  if (!mayInvite) return null;
  return (
    <>
      <Button size="small" variant="outlined" disabled={isDisabled} onClick={() => setClientsToInvite(chosen)}>
        Invite to portal
      </Button>
      {clientsToInvite !== null && (
        <Suspense fallback={null}>
          <InviteClientsDialog {...clientsToInvite} companyId={companyId} onClose={() => setClientsToInvite(null)} />
        </Suspense>
      )}
    </>
  );
}
