/** Offers to undo a change to several clients. A job carries it out and reports how many clients it restored. */
import { clientsApi } from '@portal/contract/clients.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { formatClientCount } from '../../lib/client-labels.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { useInvalidateClients } from '../../lib/use-invalidate-clients.ts';
import { Button } from '../../ui/button.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';

const POLL_MS = 1000;

type Change = EndpointOutput<typeof clientsApi.change>;

type UndoChangeProps = {
  companyId: string;
  changeId: string;
  /** The change, if already loaded. It may have been undone or be in the process. */
  initial?: Change;
  onClose?: () => void;
};

export function UndoChange({ companyId, changeId, initial, onClose }: UndoChangeProps) {
  const invalidateClients = useInvalidateClients();
  const target = { company_id: companyId, change_id: changeId };
  const undo = useMutation({ mutationFn: () => apiRequest(clientsApi.undoChange, target) });
  const isRequested = undo.isSuccess || initial?.state === 'undoing';
  const change = useQuery({
    ...apiQuery(clientsApi.change, target),
    enabled: isRequested,
    gcTime: 0,
    refetchInterval: ({ state: { data } }) => (data === undefined || data.state === 'undoing' ? POLL_MS : false),
  });
  const hasEnded = isRequested && change.data?.state === 'undone';
  useEffect(() => {
    if (hasEnded) void invalidateClients();
  }, [hasEnded, invalidateClients]);
  const undoneChange = initial?.state === 'undone' ? initial : hasEnded ? change.data : undefined;
  const isUndone = undoneChange !== undefined;
  // The job has failed for good, so the change is still in effect.
  const hasFailed = isRequested && !isUndone && change.data?.state === 'made';
  const isWaiting = undo.isPending || (isRequested && !isUndone && !hasFailed && change.error === null);
  const error = undo.error ?? change.error;
  return (
    <Stack gap={8}>
      <Text role="status">
        {isWaiting && 'Undoing…'}
        {isUndone && <UndoneText companyId={companyId} changeId={changeId} undone={undoneChange} />}
        {hasFailed && 'We couldn’t undo this, so nothing has changed. Try again.'}
      </Text>
      {error !== null && <Text role="alert">{getErrorText(error)}</Text>}
      <Row gap={8}>
        {!isUndone && (
          <Button size="small" variant="outlined" disabled={isWaiting} onClick={() => undo.mutate()}>
            Undo
          </Button>
        )}
        {onClose && (
          <Button size="small" variant="text" onClick={onClose}>
            {isUndone ? 'Close' : 'Dismiss'}
          </Button>
        )}
      </Row>
    </Stack>
  );
}

type UndoneTextProps = { companyId: string; changeId: string; undone: Pick<Change, 'changed' | 'reverted'> };

/** Shows how many clients were restored, and how many weren't because they have changed since. Each number links to those clients. */
export function UndoneText({ companyId, changeId, undone: { changed, reverted: restored } }: UndoneTextProps) {
  const restoredCount = restored ?? 0;
  const keptCount = changed - restoredCount;
  const count = (kind: 'change_restored' | 'change_kept', clients: number) => {
    const clientCountText = formatClientCount(clients);
    if (clients === 0) return clientCountText;
    return (
      <TextLink to={getPageLink('practiceClients', { company_id: companyId, action: `${kind}:${changeId}` })}>{clientCountText}</TextLink>
    );
  };
  return (
    <>
      {count('change_restored', restoredCount)} restored.
      {keptCount > 0 && (
        <>
          {' '}
          {count('change_kept', keptCount)} left as {keptCount === 1 ? 'it is' : 'they are'}, because of a later change.
        </>
      )}
    </>
  );
}
