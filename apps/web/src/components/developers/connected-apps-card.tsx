/** The apps connected by a practice's members: list and remove. */
import { PAGES } from '@portal/contract/pages.ts';
import { connectedAppsApi, type ConnectedApp } from '@portal/contract/connected-apps.ts';
import { CONNECTED_APP_SCOPE_NAMES } from '@portal/domain/developers/connected-apps.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { useToast } from '../../ui/toast.tsx';
import { InstantText } from '../formats/date-text.tsx';
import styles from './developers.module.css';

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
    <Row as="li" justify="between" className={styles.item}>
      <div className={styles.text}>
        <Row gap={8}>
          <Text as="span" weight="medium">
            {name}
          </Text>
          {status !== 'active' && <StateChip label={STATUS_LABELS[status]} icon="close" tone="secondary" />}
        </Row>
        <Text as="div" size="small" tone="quiet">
          Acts for {program.is_yours ? 'you' : actsForUser} · From {host} · {status === 'expired' ? 'Expired' : 'Until'}{' '}
          <InstantText at={program.expires_at} /> ·{' '}
          {program.last_used_at === null ? (
            'Never used'
          ) : (
            <>
              Last used <InstantText at={program.last_used_at} />
            </>
          )}
        </Text>
        <Text as="div" size="small" tone="quiet">
          {scopes.map((scope) => CONNECTED_APP_SCOPE_NAMES[scope]).join(' · ')}
        </Text>
      </div>
      {status === 'active' && (
        <Button variant="text" size="small" tone="error" onClick={remove}>
          Remove<HiddenText> {name}</HiddenText>
        </Button>
      )}
    </Row>
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
    <ModalDialog open small heading={`Remove ${program.name}?`} onClose={onClose} loading={remove.isPending}>
      <Stack gap={16}>
        {remove.error && (
          <Notice tone="error" title="The app is still connected" role="alert">
            {getErrorText(remove.error)}
          </Notice>
        )}
        <Text>Its next request will be rejected. To use it again, reconnect it. Its provider may keep the data it has already read.</Text>
        <ButtonRow>
          <Button tone="error" disabled={remove.isPending} onClick={() => remove.mutate()}>
            Remove app
          </Button>
          <Button variant="outlined" onClick={onClose}>
            Cancel
          </Button>
        </ButtonRow>
      </Stack>
    </ModalDialog>
  );
}
