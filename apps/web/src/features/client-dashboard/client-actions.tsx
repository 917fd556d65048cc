/** An admin's actions on one client: edit the details, assign to a colleague, archive and restore. */
import type { ClientStatus } from '@portal/domain/clients/client.ts';
import { clientsApi } from '@portal/contract/clients.ts';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { STATUS_NAMES } from '../../lib/client-labels.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { useIsAdmin, usePermission } from '../../lib/practice-profile.ts';
import { useInvalidateClients } from '../../lib/use-invalidate-clients.ts';
import { Button } from '../../ui/button.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Text } from '../../ui/text.tsx';
import type { ClientProfile, ClientIds } from './client-page.ts';

const ChangeClientsDialog = lazy(() =>
  import('../../components/practice/change-clients-dialog.tsx').then((file) => ({ default: file.ChangeClientsDialog })),
);
const MessageDialog = lazy(() => import('../../components/practice/message-dialog.tsx').then((file) => ({ default: file.MessageDialog })));
const EditClientDialog = lazy(() => import('./edit-client-dialog.tsx').then((file) => ({ default: file.EditClientDialog })));

type ClientActionsProps = { ids: ClientIds; client: ClientProfile };

const isArchived = ({ status }: ClientProfile): boolean => status === 'inactive' || status === 'closed';

function useSetStatus({ companyId, clientId }: ClientIds) {
  const invalidateClients = useInvalidateClients();
  return useMutation({
    mutationFn: (status: ClientStatus) => apiRequest(clientsApi.setStatus, { company_id: companyId, client_ids: [clientId], status }),
    onSuccess: invalidateClients,
  });
}

/** The client's tasks, with a button to add one. */
export function TasksAction({ ids: { companyId, clientId } }: Pick<ClientActionsProps, 'ids'>) {
  return (
    <Button size="small" variant="outlined" to={getPageLink('workItems', { company_id: companyId, client_id: clientId })}>
      Tasks
    </Button>
  );
}

/** Shown to everyone who has permission to message clients. */
export function MessageAction({ ids, client }: ClientActionsProps) {
  const [isOpen, setIsOpen] = useState(false);
  const mayMessage = usePermission(ids.companyId, 'message_clients');
  if (isArchived(client) || !mayMessage) return null;
  return (
    <>
      <Button size="small" variant="outlined" onClick={() => setIsOpen(true)}>
        Send message
      </Button>
      <Suspense fallback={null}>
        {isOpen && (
          <MessageDialog companyId={ids.companyId} selection={{ client_ids: [ids.clientId] }} count={1} onClose={() => setIsOpen(false)} />
        )}
      </Suspense>
    </>
  );
}

export function ClientActions({ ids, client }: ClientActionsProps) {
  const isAdmin = useIsAdmin(ids.companyId);
  const [open, setOpen] = useState<'edit' | 'assign' | null>(null);
  const setStatus = useSetStatus(ids);
  if (!isAdmin) return null;
  return (
    <>
      <Button size="small" variant="outlined" onClick={() => setOpen('edit')}>
        Edit details
      </Button>
      <Button size="small" variant="outlined" onClick={() => setOpen('assign')}>
        Assign
      </Button>
      {!isArchived(client) && (
        <Button size="small" variant="text" disabled={setStatus.isPending} onClick={() => setStatus.mutate('inactive')}>
          Archive
        </Button>
      )}
      {setStatus.error !== null && (
        <Text role="alert" tone="error">
          {getErrorText(setStatus.error)}
        </Text>
      )}
      <Suspense fallback={null}>
        {open === 'edit' && <EditClientDialog ids={ids} onClose={() => setOpen(null)} />}
        {open === 'assign' && (
          <ChangeClientsDialog
            change="assign"
            companyId={ids.companyId}
            selection={{ client_ids: [ids.clientId] }}
            count={1}
            names={new Map([[ids.clientId, client.full_name]])}
            onClose={() => setOpen(null)}
          />
        )}
      </Suspense>
    </>
  );
}

/** Shown while the client is archived, so that an admin can restore it from this page. */
export function ArchivedNotice({ ids, client }: ClientActionsProps) {
  const isAdmin = useIsAdmin(ids.companyId);
  const setStatus = useSetStatus(ids);
  if (!isArchived(client)) return null;
  return (
    <Notice tone="info" title={`This client is archived (${STATUS_NAMES[client.status].toLowerCase()})`} role="status">
      <Stack gap={8} align="start">
        <Text>It isn’t included in totals or the calendar. Its figures, notes and timeline are kept.</Text>
        {isAdmin && (
          <Button size="small" variant="outlined" disabled={setStatus.isPending} onClick={() => setStatus.mutate('active')}>
            Restore this client
          </Button>
        )}
        {setStatus.error !== null && <Text role="alert">{getErrorText(setStatus.error)}</Text>}
      </Stack>
    </Notice>
  );
}
