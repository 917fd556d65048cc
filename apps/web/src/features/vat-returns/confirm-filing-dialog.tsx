/** Final confirmation before a return is sent: the figures, who pays, and that it can't be undone. */
import type { NineBoxesOutput, VatReturnOutput } from '@portal/contract/vat-returns.ts';
import { formatPounds } from '@portal/domain/money.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { DIRECTION_LABELS } from '../../lib/direction-text.ts';
import { periodText } from '../../lib/period-text.ts';
import { KeyFigure } from '../../ui/key-figure.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useTakesLong } from './use-takes-long.ts';

type ConfirmFilingDialogProps = {
  open: boolean;
  data: VatReturnOutput;
  boxes: NineBoxesOutput;
  busy: boolean;
  onClose: () => void;
  onConfirm: () => void;
};

export function ConfirmFilingDialog({ open, data, boxes, busy, onClose, onConfirm }: ConfirmFilingDialogProps) {
  const slow = useTakesLong(busy);
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
          <Button onClick={onConfirm} loading={busy}>
            {busy ? 'Sending to HMRC' : 'File this return'}
          </Button>
        </>
      }
    >
      <KeyFigure figure={formatPounds(boxes.box5_pence)} label={DIRECTION_LABELS[boxes.direction]} details="Box 5" />
      <Box component="dl" sx={{ m: 0, mt: 2 }}>
        {lines.map((line) => (
          <Box
            key={line.name}
            sx={{ display: 'flex', justifyContent: 'space-between', gap: 2, py: 1, borderTop: 1, borderColor: 'divider' }}
          >
            <Typography component="dt">{line.name}</Typography>
            <Typography component="dd" sx={{ m: 0, fontVariantNumeric: 'tabular-nums', fontWeight: 500 }}>
              {formatPounds(line.amount)}
            </Typography>
          </Box>
        ))}
      </Box>
      <Box role="status" sx={{ mt: slow ? 2 : 0 }}>
        {slow ? (
          <Notice tone="info" title="HMRC is taking its time">
            HMRC can take up to half a minute to answer. Nothing is filed twice.
          </Notice>
        ) : null}
      </Box>
      <Typography sx={{ mt: 2 }}>
        A filed return cannot be taken back. A mistake found later is put right in your next return, or by writing to HMRC.
      </Typography>
    </ModalDialog>
  );
}
