/** What to check before filing: large changes and repeated rows that may make HMRC ask questions. None of them blocks the filing. */
import type { VatReturnOutput } from '@portal/contract/vat-returns.ts';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { Icon } from '../../ui/icons.tsx';
import { SectionCard } from '../../ui/section-card.tsx';

export function ChecksCard({ data }: { data: VatReturnOutput }) {
  if (data.checks.length === 0) {
    return (
      <SectionCard title="Checks">
        <Typography sx={{ display: 'flex', gap: 1 }}>
          <Icon name="check" sx={{ color: 'success.tone' }} />
          We found nothing unusual: no repeated rows, and no figure far from your earlier returns.
        </Typography>
      </SectionCard>
    );
  }
  const warnings = data.checks.filter((check) => check.severity === 'warn').length;
  return (
    <SectionCard title={warnings === 0 ? 'Checks' : `Please look at ${warnings === 1 ? 'this' : `these ${warnings} points`} first`}>
      <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0, display: 'grid', gap: 1 }}>
        {data.checks.map((check) => (
          <Box component="li" key={check.code} sx={{ display: 'flex', gap: 1, maxWidth: '75ch' }}>
            <Icon
              name={check.severity === 'warn' ? 'warning' : 'info'}
              title={check.severity === 'warn' ? 'Warning' : 'For your information'}
              sx={{ color: check.severity === 'warn' ? 'warning.tone' : 'info.tone' }}
            />
            {check.sentence}
          </Box>
        ))}
      </Box>
    </SectionCard>
  );
}
