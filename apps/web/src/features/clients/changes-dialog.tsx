/**
 * Changes made to clients within the last day, each with an undo. They are still here after leaving the page, and colleagues see them too.
 */
import { clientsApi, type BulkChange } from '@portal/contract/clients.ts';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';
import { formatClientCount, DUTY_NAMES, STATUS_NAMES } from '../../lib/client-labels.ts';
import { InstantText } from '../../ui/date-text.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { TableSkeleton } from '../../ui/skeletons.tsx';
import { UndoChange } from '../../ui/undo-change.tsx';

export function ChangesDialog({ companyId, open, onClose }: { companyId: string; open: boolean; onClose: () => void }) {
  // Load the changes each time the dialog opens: a colleague may have changed clients or undone a change.
  const changes = useQuery({ ...apiQuery(clientsApi.changes, { company_id: companyId }), enabled: open && companyId !== '', staleTime: 0 });
  return (
    <ModalDialog open={open} heading="Latest changes" onClose={onClose} small>
      <Typography sx={{ mb: 2, color: 'text.secondary' }}>
        The statuses set and the clients given to colleagues, by anybody in the practice. Each can be undone for 24 hours.
      </Typography>
      <LoadState query={changes} skeleton={<TableSkeleton rows={3} />}>
        {({ changes: list }) =>
          list.length === 0 ? (
            <Typography>Nothing was changed in the last 24 hours.</Typography>
          ) : (
            <Box component="ul" aria-label="Latest changes" sx={{ listStyle: 'none', m: 0, p: 0 }}>
              {list.map((change) => (
                <Box component="li" key={change.change_id} sx={{ py: 1.5, borderTop: 1, borderColor: 'divider' }}>
                  <Typography sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>{describeChange(change)}</Typography>
                  <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                    <InstantText at={change.made_at} />
                    {`, by ${change.is_yours ? 'you' : change.made_by}`}
                    {change.state === 'made' && (
                      <>
                        . Can be undone until <InstantText at={change.undo_until} />
                      </>
                    )}
                    .
                  </Typography>
                  <UndoChange companyId={companyId} changeId={change.change_id} initial={change} />
                </Box>
              ))}
            </Box>
          )
        }
      </LoadState>
    </ModalDialog>
  );
}

type DescribedChange = Pick<BulkChange, 'kind' | 'status' | 'colleague' | 'duty' | 'changed' | 'client_name'>;

/** For example "10,000 clients set to inactive" or "Harlow Joinery Ltd given to Tom Reed as VAT". */
export function describeChange({ kind, status, colleague, duty, changed, client_name: name }: DescribedChange): string {
  const who = name ?? formatClientCount(changed);
  if (kind === 'status') return `${who} set to ${status === null ? 'another status' : STATUS_NAMES[status].toLowerCase()}`;
  const as = duty === null ? '' : ` as ${DUTY_NAMES[duty]}`;
  const person = colleague ?? 'a colleague';
  return kind === 'assign' ? `${who} given to ${person}${as}` : `${who} taken from ${person}${as}`;
}
