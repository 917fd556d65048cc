import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import type { ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import type { ContractForm } from '../lib/contract-form.ts';
import { ErrorSummary } from './error-summary.tsx';
import { Notice } from './notice.tsx';

type FormPanelProps<Values extends FieldValues> = {
  form: ContractForm<Values>;
  /** Label of the submit button, and its label while submitting. */
  submitLabel: string;
  busyLabel: string;
  children: ReactNode;
  /** Secondary actions, beside the submit button. */
  otherActions?: ReactNode;
};

/** A form in one column: error summary, fields, submit button. */
export function FormPanel<Values extends FieldValues>({ form, submitLabel, busyLabel, children, otherActions }: FormPanelProps<Values>) {
  return (
    <Box component="form" noValidate onSubmit={(event) => void form.submit(event)}>
      <ErrorSummary errors={form.serverErrors} getFieldId={form.getFieldId} />
      {form.discardDraft !== undefined && <DraftNotice discard={form.discardDraft} />}
      {children}
      <Box
        sx={{
          display: 'flex',
          flexWrap: 'wrap',
          gap: 1.5,
          alignItems: 'center',
          '& > .MuiButton-root': { width: { xs: '100%', sm: 'auto' }, maxWidth: { xs: 'none', sm: 300 } },
        }}
      >
        <Button type="submit" disabled={!form.canSubmit} sx={{ minWidth: 200 }}>
          {form.isSubmitting ? busyLabel : submitLabel}
        </Button>
        {otherActions}
      </Box>
    </Box>
  );
}

/** States that the fields show a restored draft that is not saved, and offers to discard it. */
export function DraftNotice({ discard }: { discard: () => void }) {
  return (
    <Box sx={{ mb: 3 }}>
      <Notice tone="info" title="Here is what you typed before" role="status">
        It is not saved yet.{' '}
        <Link component="button" type="button" onClick={discard} sx={{ verticalAlign: 'baseline' }}>
          Start again
        </Link>
      </Notice>
    </Box>
  );
}
