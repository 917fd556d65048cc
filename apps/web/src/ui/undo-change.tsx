/** Offers to undo a change of several clients. A job does it and reports how many clients it restored. */
import { clientsApi } from '@portal/contract/clients.ts';
import type { OutputOf } from '@portal/contract/endpoint.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { apiQuery, apiRequest } from '../lib/api.ts';
import { formatClientCount } from '../lib/client-labels.ts';
import { errorText } from '../lib/error-text.ts';
import { useInvalidateClients } from '../lib/use-invalidate-clients.ts';

const POLL_MS = 1000;

type Change = OutputOf<typeof clientsApi.change>;

type UndoChangeProps = {
  companyId: string;
  changeId: string;
  /** The state of the change, if already loaded. It may be undone or being undone. */
  known?: Change;
  onForget?: () => void;
};

export function UndoChange({ companyId, changeId, known, onForget }: UndoChangeProps) {
  const tell = useInvalidateClients();
  const of = { company_id: companyId, change_id: changeId };
  const undo = useMutation({ mutationFn: () => apiRequest(clientsApi.undoChange, of) });
  const isAsked = undo.isSuccess || known?.state === 'undoing';
  const change = useQuery({
    ...apiQuery(clientsApi.change, of),
    enabled: isAsked,
    gcTime: 0,
    refetchInterval: ({ state: { data } }) => (data === undefined || data.state === 'undoing' ? POLL_MS : false),
  });
  const hasEnded = isAsked && change.data?.state === 'undone';
  useEffect(() => {
    if (hasEnded) void tell();
  }, [hasEnded, tell]);
  const undone = known?.state === 'undone' ? known : hasEnded ? change.data : undefined;
  const isUndone = undone !== undefined;
  // The job gave up, so the change is still in place.
  const hasFailed = isAsked && !isUndone && change.data?.state === 'made';
  const isWaiting = undo.isPending || (isAsked && !isUndone && !hasFailed && change.error === null);
  const error = undo.error ?? change.error;
  return (
    <Box>
      <Typography role="status">
        {isWaiting && 'Putting back …'}
        {isUndone && undoneText(undone)}
        {hasFailed && 'It could not be undone. Nothing was put back; try again.'}
      </Typography>
      {error !== null && <Typography role="alert">{errorText(error)}</Typography>}
      <Box sx={{ display: 'flex', gap: 1, mt: 1 }}>
        {!isUndone && (
          <Button size="small" variant="outlined" disabled={isWaiting} onClick={() => undo.mutate()}>
            Undo
          </Button>
        )}
        {onForget && (
          <Button size="small" variant="text" onClick={onForget}>
            {isUndone ? 'Close' : 'Leave it so'}
          </Button>
        )}
      </Box>
    </Box>
  );
}

/** "298 clients put back as before. 2 clients changed by somebody since and left so." */
export function undoneText({ changed, put_back: putBack }: { readonly changed: number; readonly put_back: number | null }): string {
  const kept = changed - (putBack ?? 0);
  const back = `${formatClientCount(putBack ?? 0)} put back as before.`;
  return kept === 0 ? back : `${back} ${formatClientCount(kept)} changed by somebody since and left so.`;
}
