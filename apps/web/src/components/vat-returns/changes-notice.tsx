/** At the top of a return's boxes: how many documents have changed since its figures were approved or filed, and in which boxes. */
import type { ReturnChanges } from '@portal/contract/return-transactions.ts';
import { Notice } from '../../ui/notice.tsx';
import { describeChanges, listBoxes } from './describe-changes.ts';

export function ChangesNotice({ changes }: { changes: ReturnChanges | null }) {
  if (changes === null || changes.documents === 0) return null;
  const boxes = `${listBoxes(changes)} ${changes.boxes.length === 1 ? 'differs' : 'differ'}`;
  return (
    <Notice tone={changes.since === 'approval' ? 'warning' : 'info'} title={describeChanges(changes)}>
      {changes.since === 'approval'
        ? `${boxes}. The transactions of each box show what changed.`
        : `${boxes} in the books. The return stays as it was filed; you can correct it on a later return.`}
    </Notice>
  );
}
