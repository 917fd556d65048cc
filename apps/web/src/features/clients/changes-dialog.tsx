/**
 * Changes made to clients within the last day, each with an undo. They remain available after the user leaves the page, and to colleagues
 * too.
 */
import { clientsApi, type BulkChange } from '@portal/contract/clients.ts';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';
import { formatClientCount, DUTY_NAMES, STATUS_NAMES } from '../../lib/client-labels.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { InstantText } from '../../components/formats/date-text.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { TableSkeleton } from '../../ui/skeletons.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { UndoChange } from '../../components/practice/undo-change.tsx';
import styles from './changes-dialog.module.css';

export function ChangesDialog({ companyId, onClose }: { companyId: string; onClose: () => void }) {
  // Refetch each time the dialog opens: a colleague may have changed clients or undone a change.
  const changes = useQuery({ ...apiQuery(clientsApi.changes, { company_id: companyId }), enabled: companyId !== '', staleTime: 0 });
  return (
    <ModalDialog open heading="Recent changes" onClose={onClose} small>
      <Stack>
        <Text tone="quiet">Status changes and assignments made by everyone in your practice. You can undo each one for 24 hours.</Text>
        <LoadState query={changes} skeleton={<TableSkeleton rows={3} />}>
          {({ changes: list }) =>
            list.length === 0 ? (
              <Text>No changes in the last 24 hours.</Text>
            ) : (
              <Stack as="ul" gap={0} aria-label="Recent changes">
                {list.map((change) => (
                  <Stack as="li" gap={4} key={change.change_id} className={styles.change}>
                    <Text weight="bold">
                      <TextLink
                        to={getPageLink('practiceClients', { company_id: companyId, action: `change:${change.change_id}` })}
                        onClick={onClose}
                      >
                        {describeChange(change)}
                      </TextLink>
                    </Text>
                    <Text size="small" tone="quiet">
                      <InstantText at={change.made_at} />
                      {`, by ${change.is_yours ? 'you' : change.made_by}`}
                      {change.state === 'made' && (
                        <>
                          . You can undo it until <InstantText at={change.undo_until} />
                        </>
                      )}
                      .
                    </Text>
                    <UndoChange companyId={companyId} changeId={change.change_id} initial={change} />
                  </Stack>
                ))}
              </Stack>
            )
          }
        </LoadState>
      </Stack>
    </ModalDialog>
  );
}

type DescribedChange = Pick<BulkChange, 'kind' | 'status' | 'colleague' | 'duty' | 'changed' | 'client_name'>;

/** Returns, for example, "10,000 clients set to inactive" or "Harlow Joinery Ltd assigned to Tom Reed (VAT)". */
export function describeChange({ kind, status, colleague, duty, changed, client_name: name }: DescribedChange): string {
  const subjectName = name ?? formatClientCount(changed);
  if (kind === 'status') return `${subjectName} set to ${status === null ? 'a different status' : STATUS_NAMES[status].toLowerCase()}`;
  const role = duty === null ? '' : ` (${DUTY_NAMES[duty]})`;
  const colleagueName = colleague ?? 'a colleague';
  if (kind === 'hand_over') return `${subjectName} handed over to ${colleagueName}${role}`;
  return kind === 'assign'
    ? `${subjectName} assigned to ${colleagueName}${role}`
    : `${subjectName} unassigned from ${colleagueName}${role}`;
}
