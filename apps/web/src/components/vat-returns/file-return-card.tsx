/** The declaration and the filing. Before anything is sent, the user sees the figures, who pays, and that filing can't be undone. */
import type { NineBoxesOutput, VatReturnOutput } from '@portal/contract/vat-returns.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { useId, useRef, useState } from 'react';
import { ApiError } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/choice.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { ConfirmFilingDialog } from './confirm-filing-dialog.tsx';
import styles from './file-return-card.module.css';
import { getResultLabel, type ReturnTarget } from './return-api.ts';
import { useFileReturn } from './use-file-return.ts';
import { MissingLine } from '../../ui/missing-line.tsx';
import { TextLink } from '../../ui/text-link.tsx';

type FileReturnCardProps = { data: VatReturnOutput; boxes: NineBoxesOutput; figuresVersion: string; input: ReturnTarget };

export function FileReturnCard({ data, boxes, figuresVersion, input }: FileReturnCardProps) {
  // The declaration covers only the figures shown when it was ticked. If they change, it must be ticked again.
  const [confirmedVersion, setConfirmedVersion] = useState('');
  const [initialVersion] = useState(figuresVersion);
  const missingId = useId();
  const [confirming, setIsConfirming] = useState(false);
  const checkboxRef = useRef<HTMLInputElement>(null);
  const filing = useFileReturn({ input, figuresVersion });
  const isTicked = confirmedVersion === figuresVersion;
  const hasChanged = initialVersion !== figuresVersion && !isTicked;
  return (
    <>
      <SectionCard title="Declaration">
        <Stack gap={12}>
          {hasChanged ? (
            <Notice tone="warning" title="The figures have changed since you opened this return" role="alert">
              Nothing was filed. Someone changed the books, and the boxes above show the new figures: box 5 is now{' '}
              {formatPounds(boxes.box5_pence)}. Check them, then confirm again.
            </Notice>
          ) : filing.error ? (
            <Notice tone="error" title={getFailureTitle(filing.error)} role="alert">
              {getErrorText(filing.error)}
            </Notice>
          ) : null}
          <Text measure>{data.declaration}</Text>
          <Checkbox
            ref={checkboxRef}
            label="I confirm that the declaration above is true"
            checked={isTicked}
            onChange={(event) => setConfirmedVersion(event.target.checked ? figuresVersion : '')}
          />
          <Text size="small" tone="quiet">
            You’ll see the figures once more before we send anything.
          </Text>
        </Stack>
      </SectionCard>
      <section aria-label="File this return" className={styles.bar}>
        <div>
          <Text>
            {getResultLabel(input, boxes)} <span className={styles.amount}>{formatPounds(boxes.box5_pence)}</span>
          </Text>
          <Text size="small" tone={data.obligation.overdue ? 'error' : 'quiet'}>
            {data.obligation.overdue ? 'Was due on' : 'Due by'} {formatDate(data.obligation.due_on)}
          </Text>
        </div>
        <div className={styles.file}>
          <MissingLine id={missingId}>
            {/* The button is always in view, but the declaration may not be. */}
            {!isTicked && <TextLink onClick={() => checkboxRef.current?.focus()}>Tick the declaration first</TextLink>}
          </MissingLine>
          <Button onClick={() => setIsConfirming(true)} disabled={!isTicked} aria-describedby={missingId}>
            File this return with HMRC
          </Button>
        </div>
      </section>
      <ConfirmFilingDialog
        open={confirming && isTicked}
        data={data}
        boxes={boxes}
        busy={filing.isPending}
        label={getResultLabel(input, boxes)}
        onClose={() => setIsConfirming(false)}
        onConfirm={() => filing.mutate(undefined, { onSettled: () => setIsConfirming(false) })}
      />
    </>
  );
}

function getFailureTitle(error: Error): string {
  if (!(error instanceof ApiError)) return 'We didn’t send this return';
  if (error.status === 0) return 'The connection was lost while filing';
  return error.status >= 500 ? 'We couldn’t reach HMRC' : 'This return wasn’t filed';
}
