/** Reads the practice's client list from FreeAgent instead of a file, once FreeAgent is connected for all clients. */
import { clientImportsApi } from '@portal/contract/client-imports.ts';
import { practiceBooksApi } from '@portal/contract/practice-books.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Text } from '../../ui/text.tsx';

type ImportFromFreeAgentProps = { companyId: string; onRead: () => void };

export function ImportFromFreeAgent({ companyId, onRead }: ImportFromFreeAgentProps) {
  const queryClient = useQueryClient();
  const { data } = useQuery(apiQuery(practiceBooksApi.get, { company_id: companyId }));
  const read = useMutation({
    mutationFn: () => apiRequest(clientImportsApi.fromProgram, { company_id: companyId, program: 'freeagent' }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: [clientImportsApi.info.path] });
      onRead();
    },
  });
  const grant = data?.grants.find(({ program }) => program === 'freeagent');
  if (!grant?.is_available) return null;
  const isConnected = grant.status === 'connected';
  return (
    <Stack gap={12}>
      <Text>
        {isConnected
          ? 'FreeAgent is connected, so we can read your list of active clients. You’ll see a preview before anything changes.'
          : 'Does your practice use FreeAgent? Connect it, and we’ll read your client list and their books. We only read data, although FreeAgent only offers apps full access.'}
      </Text>
      {read.error !== null && (
        <Notice tone="error" title="We couldn’t read your client list" role="alert">
          {getErrorText(read.error)}
        </Notice>
      )}
      <ButtonRow>
        {isConnected ? (
          <Button variant="outlined" disabled={read.isPending} onClick={() => read.mutate()}>
            Read clients from FreeAgent
          </Button>
        ) : (
          <Button variant="outlined" to={getPageLink('practiceBooks', { company_id: companyId })}>
            Connect FreeAgent
          </Button>
        )}
      </ButtonRow>
    </Stack>
  );
}
