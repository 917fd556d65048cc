/** The agreement as accepted: when, by whom, its hash and, on demand, its text. */
import type { Instant } from '@portal/domain/clock.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { AgreementText } from '../../ui/agreement-text.tsx';
import { InstantText } from '../../ui/date-text.tsx';
import { FLUSH_LEFT } from '../../ui/flush-left.ts';
import { SectionCard } from '../../ui/section-card.tsx';
import type { AdvancePartProps } from './advance-part.ts';

export function AgreementCard({ advance, acceptedAt }: AdvancePartProps & { acceptedAt: Instant }) {
  const [open, setOpen] = useState(false);
  return (
    <SectionCard title="Your agreement">
      <Typography>
        Accepted on <InstantText at={acceptedAt} />
        {advance.agreement.accepted_by ? ` by ${advance.agreement.accepted_by}` : ''}.
      </Typography>
      <Button variant="text" size="small" aria-expanded={open} onClick={() => setOpen(!open)} sx={{ ...FLUSH_LEFT, mt: 1 }}>
        {open ? 'Hide the agreement' : 'Read the agreement'}
      </Button>
      {open ? (
        <Box sx={{ mt: 1 }}>
          <AgreementText text={advance.agreement.text} />
          <Typography variant="body2" sx={{ color: 'text.secondary', mt: 1, overflowWrap: 'anywhere' }}>
            Fingerprint (SHA-256): {advance.agreement.hash}
          </Typography>
        </Box>
      ) : null}
    </SectionCard>
  );
}
