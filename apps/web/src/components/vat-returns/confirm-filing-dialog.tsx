/** The final confirmation before a return is sent: the figures, who pays, and that it can't be undone. */
import type { NineBoxesOutput, VatReturnOutput } from '@portal/contract/vat-returns.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { DIRECTION_LABELS } from '../../lib/direction-text.ts';
import { periodText } from '../../lib/period-text.ts';
import { Button } from '../../ui/button.tsx';
import { KeyFigure } from '../../ui/key-figure.tsx';
import { Stack } from '../../ui/layout.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Text } from '../../ui/text.tsx';
import styles from './confirm-filing-dialog.module.css';
import { useIsSlow } from './use-takes-long.ts';

type ConfirmFilingDialogProps = {
  open: boolean;
  data: VatReturnOutput;
  boxes: NineBoxesOutput;
  busy: boolean;
  /** Says who pays, if the return isn't the reader's own. */
  label?: string;
  onClose: () => void;
  onConfirm: () => void;
};

export function ConfirmFilingDialog({ open, data, boxes, busy, label, onClose, onConfirm }: ConfirmFilingDialogProps) {
  const takesLong = useIsSlow(busy);
  const { period_start: start, period_end: end } = data.obligation;
  const lines = [
    { name: 'VAT due on sales (box 1)', amount: boxes.box1_pence },
    { name: 'Total VAT due (box 3)', amount: boxes.box3_pence },
    { name: 'VAT reclaimed (box 4)', amount: boxes.box4_pence },
  ];
  return (
    <ModalDialog
      open={open}
      small
      heading={`File the return for ${periodText(start, end)}?`}
      loading={busy}
      onClose={onClose}
      actions={
        <>
          <Button variant="outlined" onClick={onClose} disabled={busy}>
            Go back
          </Button>
          <Button onClick={onConfirm} isBusy={busy}>
            {busy ? 'Sending to HMRC' : 'File this return'}
          </Button>
        </>
      }
    >
      <Stack>
        <KeyFigure figure={formatPounds(boxes.box5_pence)} label={label ?? DIRECTION_LABELS[boxes.direction]} details="Box 5" />
        <dl className={styles.lines}>
          {lines.map((line) => (
            <div key={line.name} className={styles.line}>
              <dt>{line.name}</dt>
              <dd className={styles.amount}>{formatPounds(line.amount)}</dd>
            </div>
          ))}
        </dl>
        <div role="status">
          {takesLong && (
            <Notice tone="info" title="HMRC is taking longer than usual">
              HMRC can take up to half a minute to respond. We won’t file the return twice.
            </Notice>
          )}
        </div>
        <Text>
          You can’t withdraw a return once it’s filed. If you find a mistake later, correct it in your next return or write to HMRC.
        </Text>
      </Stack>
    </ModalDialog>
  );
}
