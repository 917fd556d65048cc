/** A pending file: either its columns need a meaning, or the user must confirm using it although it is incomplete. */
import type { BooksUpload, PendingBooks as Pending } from '@portal/contract/books.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { useMutation } from '@tanstack/react-query';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { focusResult } from '../../lib/focus-result.ts';
import { periodText } from '../../lib/period-text.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Text } from '../../ui/text.tsx';
import { getBooksApi, type BooksTarget } from './books-api.ts';
import { MapBooks } from './map-books.tsx';

type PendingBooksProps = {
  target: BooksTarget;
  pending: Pending;
  /** True if the user's last action left the file pending, so that the question gets the focus and scrolls into view. */
  isResult: boolean;
  onDone: (upload: BooksUpload) => void;
  onDiscarded: () => void;
};

export function PendingBooks({ target, pending, isResult, onDone, onDiscarded }: PendingBooksProps) {
  const input = { ...target, upload_id: pending.upload_id };
  const discard = useMutation({ mutationFn: () => apiRequest(getBooksApi(target).discard, input), onSuccess: onDiscarded });
  const apply = useMutation({ mutationFn: () => apiRequest(getBooksApi(target).apply, input), onSuccess: onDone });
  const isBusy = discard.isPending || apply.isPending;
  const error = discard.error ?? apply.error;
  const discardButton = (
    <Button variant="text" disabled={isBusy} onClick={() => discard.mutate()}>
      Discard this file
    </Button>
  );
  const question =
    pending.waits_for === 'columns' ? `Columns of ${pending.file_name}` : `${pending.file_name} covers only part of a period`;
  const focus = isResult ? { tabIndex: -1, ref: focusResult } : {};
  return (
    <Stack gap={16} key={pending.waits_for} role="group" aria-label={question} {...focus}>
      {error && (
        <Notice tone="error" title="That didn’t work" role="alert">
          {getErrorText(error)}
        </Notice>
      )}
      {pending.waits_for === 'columns' ? (
        <MapBooks target={target} pending={pending} onDone={onDone} discardButton={discardButton} />
      ) : (
        <Notice tone="warning" title={question} role="status">
          <Stack gap={12}>
            {pending.gaps.map((gap) => (
              <Text key={gap.period_start}>
                For {periodText(gap.period_start, gap.period_end)} it has transactions{' '}
                {gap.first_date === gap.last_date
                  ? `on ${formatDate(gap.first_date)}`
                  : `from ${formatDate(gap.first_date)} to ${formatDate(gap.last_date)}`}{' '}
                only.
              </Text>
            ))}
            <Text>
              Your figures haven’t changed. If transactions are missing, upload a file that covers the whole period: a return that leaves
              some out will be wrong. If there were none on the other days, use this file.
            </Text>
            <ButtonRow>
              <Button variant="outlined" isBusy={apply.isPending} disabled={isBusy} onClick={() => apply.mutate()}>
                Use this file
              </Button>
              {discardButton}
            </ButtonRow>
          </Stack>
        </Notice>
      )}
    </Stack>
  );
}
