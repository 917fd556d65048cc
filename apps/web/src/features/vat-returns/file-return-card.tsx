/** The declaration and the filing. Before anything is sent, the person sees the figures, the direction and what can't be undone. */
import type { NineBoxesOutput, VatReturnOutput } from '@portal/contract/vat-returns.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { ApiError } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { ConfirmFilingDialog } from './confirm-filing-dialog.tsx';
import { useFileReturn } from './use-file-return.ts';

type FileReturnCardProps = { data: VatReturnOutput; boxes: NineBoxesOutput; figuresVersion: string; companyId: string };

export function FileReturnCard({ data, boxes, figuresVersion, companyId }: FileReturnCardProps) {
  // The declaration covers the figures it was ticked for. Changed figures need a new tick.
  const [tickedFor, setTickedFor] = useState('');
  const [initialVersion] = useState(figuresVersion);
  const [asked, setAsked] = useState(false);
  const [confirming, setConfirming] = useState(false);
  const filing = useFileReturn({ companyId, obligationId: data.obligation.obligation_id, figuresVersion });
  const ticked = tickedFor === figuresVersion;
  const changed = initialVersion !== figuresVersion && !ticked;
  const isMissing = asked && !ticked;
  return (
    <SectionCard title="Declaration">
      {changed ? (
        <Notice tone="warning" title="The figures have changed since you opened this return" role="alert">
          Nothing was filed. Your books were changed meanwhile; the boxes above are the new figures: {formatPounds(boxes.box5_pence)} in box
          5. Please check them, and confirm again.
        </Notice>
      ) : filing.error ? (
        <Notice tone="error" title={failureTitle(filing.error)} role="alert">
          {errorText(filing.error)}
        </Notice>
      ) : null}
      <Typography sx={{ mt: 1, maxWidth: '75ch' }}>{data.declaration}</Typography>
      <FormControlLabel
        sx={{ mt: 1, ml: -1.25 }}
        control={
          <Checkbox
            checked={ticked}
            onChange={(event) => setTickedFor(event.target.checked ? figuresVersion : '')}
            slotProps={{ input: { 'aria-invalid': isMissing, 'aria-describedby': isMissing ? 'declaration-error' : undefined } }}
          />
        }
        label="I have read this declaration, and I make it"
      />
      {isMissing ? (
        <Typography id="declaration-error" role="alert" sx={{ color: 'error.tone', fontWeight: 500, mt: 0.5 }}>
          Tick the declaration to file this return
        </Typography>
      ) : null}
      <Button
        sx={{ mt: 2, display: 'flex' }}
        onClick={() => {
          setAsked(true);
          if (ticked) setConfirming(true);
        }}
      >
        File this return with HMRC
      </Button>
      <Typography variant="body2" sx={{ mt: 1, color: 'text.secondary' }}>
        You see the figures once more before anything is sent. Due on {formatDate(data.obligation.due_on)}.
      </Typography>
      <ConfirmFilingDialog
        open={confirming && ticked}
        data={data}
        boxes={boxes}
        busy={filing.isPending}
        onClose={() => setConfirming(false)}
        onConfirm={() => filing.mutate(undefined, { onSettled: () => setConfirming(false) })}
      />
    </SectionCard>
  );
}

function failureTitle(error: Error): string {
  if (!(error instanceof ApiError)) return 'This return was not sent';
  if (error.status === 0) return 'The connection was lost while we filed';
  return error.status >= 500 ? 'HMRC could not be reached' : 'This return was not filed';
}
