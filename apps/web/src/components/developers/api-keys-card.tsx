/** The API keys of a practice or a trader's company: list, create, revoke. */
import { apiKeysApi, companyApiKeysApi, type ApiKey } from '@portal/contract/api-keys.ts';
import { PAGES } from '@portal/contract/pages.ts';
import { API_SCOPE_NAMES } from '@portal/domain/developers/api-scopes.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { useToast } from '../../ui/toast.tsx';
import { InstantText } from '../formats/date-text.tsx';
import { AccessRow } from './access-row.tsx';
import { ApiKeyDialog } from './api-key-dialog.tsx';

export type KeyOwnerKind = 'practice' | 'company';

const STATUS_LABELS: Readonly<Record<Exclude<ApiKey['status'], 'active'>, string>> = {
  expired: 'Expired',
  revoked: 'Revoked',
  ended: 'Ended',
};

export function ApiKeysCard({ of, companyId }: { of: KeyOwnerKind; companyId: string }) {
  const query = useQuery(
    of === 'practice' ? apiQuery(apiKeysApi.list, { company_id: companyId }) : apiQuery(companyApiKeysApi.list, { company_id: companyId }),
  );
  const [isAdding, setIsAdding] = useState(false);
  const [revokedKey, setRevokedKey] = useState<ApiKey>();
  return (
    <SectionCard
      title="API keys"
      aside={
        <Button size="small" variant="outlined" onClick={() => setIsAdding(true)}>
          Create a key
        </Button>
      }
    >
      <Stack gap={16}>
        <Text tone="quiet">
          With an API key, your own software can read and change what you can, within the permissions you choose.{' '}
          <TextLink to={PAGES.developers.path}>How to use the API</TextLink>
        </Text>
        <LoadState query={query}>
          {({ keys }) =>
            keys.length === 0 ? (
              <Text>No API keys yet.</Text>
            ) : (
              <Stack as="ul" gap={0} aria-label="API keys">
                {keys.map((key) => (
                  <KeyRow key={key.key_id} apiKey={key} revoke={() => setRevokedKey(key)} />
                ))}
              </Stack>
            )
          }
        </LoadState>
      </Stack>
      {isAdding && <ApiKeyDialog of={of} companyId={companyId} onClose={() => setIsAdding(false)} />}
      {revokedKey && <RevokeDialog of={of} companyId={companyId} apiKey={revokedKey} onClose={() => setRevokedKey(undefined)} />}
    </SectionCard>
  );
}

function KeyRow({ apiKey, revoke }: { apiKey: ApiKey; revoke: () => void }) {
  const { name, hint, scopes, acts_for: actsForUser, status } = apiKey;
  return (
    <AccessRow
      name={name}
      code={hint}
      endedLabel={status === 'active' ? undefined : STATUS_LABELS[status]}
      details={
        <>
          Acts for {actsForUser} · {status === 'expired' ? 'Expired' : 'Expires'} <InstantText at={apiKey.expires_at} />
        </>
      }
      lastUsedAt={apiKey.last_used_at}
      scopes={scopes.map((scope) => API_SCOPE_NAMES[scope])}
      endLabel="Revoke"
      onEnd={revoke}
    />
  );
}

function RevokeDialog({ of, companyId, apiKey, onClose }: { of: KeyOwnerKind; companyId: string; apiKey: ApiKey; onClose: () => void }) {
  const queryClient = useQueryClient();
  const toast = useToast();
  const revoke = useMutation({
    mutationFn: () =>
      apiRequest(of === 'practice' ? apiKeysApi.revoke : companyApiKeysApi.revoke, { company_id: companyId, key_id: apiKey.key_id }),
    onSuccess: () => {
      toast('success', 'API key revoked');
      onClose();
    },
    onSettled: () =>
      queryClient
        .invalidateQueries({ queryKey: [apiKeysApi.list.path] })
        .then(() => queryClient.invalidateQueries({ queryKey: [companyApiKeysApi.list.path] })),
  });
  return (
    <ConfirmDialog
      heading={`Revoke ${apiKey.name}?`}
      mutation={revoke}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
      confirmLabel="Revoke key"
      tone="error"
      errorTitle="The key still works"
    >
      <Text>Software that uses this key stops working immediately. This can’t be undone.</Text>
    </ConfirmDialog>
  );
}
