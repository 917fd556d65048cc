/** The apps connected by a practice's members: list and remove. */
import { PAGES } from '@portal/contract/pages.ts';
import { connectedAppsApi, type ConnectedApp } from '@portal/contract/connected-apps.ts';
import { CONNECTED_APP_SCOPE_NAMES } from '@portal/domain/developers/connected-apps.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { useToast } from '../../ui/toast.tsx';
import { InstantText } from '../formats/date-text.tsx';
import { AccessRow } from './access-row.tsx';

const STATUS_LABELS: Readonly<Record<Exclude<ConnectedApp['status'], 'active'>, string>> = {
  expired: 'Expired',
  removed: 'Removed',
  ended: 'Ended',
};

export function ConnectedAppsCard({ companyId }: { companyId: string }) {
  const query = useQuery(apiQuery(connectedAppsApi.list, { company_id: companyId }));
  const [removedApp, setRemoved] = useState<ConnectedApp>();
  return (
    <SectionCard title="Connected apps">
      <Stack gap={16}>
        <Text tone="quiet">
          Your own assistant, such as Claude or ChatGPT, can work with the practice’s data using your permissions. It prepares drafts; you
          send, file and approve. <TextLink to={PAGES.assistants.path}>How to connect your assistant</TextLink>
        </Text>
        <LoadState query={query}>
          {({ programs }) =>
            programs.length === 0 ? (
              <Text>No apps connected yet.</Text>
            ) : (
              <Stack as="ul" gap={0} aria-label="Connected apps">
                {programs.map((program) => (
                  <AppRow key={program.program_id} program={program} remove={() => setRemoved(program)} />
                ))}
              </Stack>
            )
          }
        </LoadState>
      </Stack>
      {removedApp && <RemoveDialog companyId={companyId} program={removedApp} onClose={() => setRemoved(undefined)} />}
    </SectionCard>
  );
}

function AppRow({ program, remove }: { program: ConnectedApp; remove: () => void }) {
  const { name, redirect_host: host, scopes, acts_for: actsForUser, status } = program;
  return (
    <AccessRow
      name={name}
      endedLabel={status === 'active' ? undefined : STATUS_LABELS[status]}
      details={
        <>
          Acts for {program.is_yours ? 'you' : actsForUser} · From {host} · {status === 'expired' ? 'Expired' : 'Until'}{' '}
          <InstantText at={program.expires_at} />
        </>
      }
      lastUsedAt={program.last_used_at}
      scopes={scopes.map((scope) => CONNECTED_APP_SCOPE_NAMES[scope])}
      endLabel="Remove"
      onEnd={remove}
    />
  );
}

function RemoveDialog({ companyId, program, onClose }: { companyId: string; program: ConnectedApp; onClose: () => void }) {
  const queryClient = useQueryClient();
  const toast = useToast();
  const remove = useMutation({
    mutationFn: () => apiRequest(connectedAppsApi.remove, { company_id: companyId, program_id: program.program_id }),
    onSuccess: () => {
      toast('success', 'App removed');
      onClose();
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: [connectedAppsApi.list.path] }),
  });
  return (
    <ConfirmDialog
      heading={`Remove ${program.name}?`}
      mutation={remove}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
      confirmLabel="Remove app"
      tone="error"
      errorTitle="The app is still connected"
    >
      <Text>Its next request will be rejected. To use it again, reconnect it. Its provider may keep the data it has already read.</Text>
    </ConfirmDialog>
  );
}
