import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Link } from 'react-router';
import { pageLink } from '../../lib/page-link.ts';
import { SectionCard } from '../../ui/section-card.tsx';
import { RequoteButton } from './requote-button.tsx';

type NoAdvanceProps = { reason: string | null; companyId: string; obligationId: string | undefined };

/** Shown when there is no offer: the reason, and how to get one. */
export function NoAdvance({ reason, companyId, obligationId }: NoAdvanceProps) {
  return (
    <SectionCard title="There is no offer yet">
      <Typography sx={{ maxWidth: '68ch' }}>
        {reason ?? 'When HMRC holds a return that ends in a repayment, we can pay it to you within 24 hours and wait for HMRC ourselves.'}
      </Typography>
      {obligationId === undefined ? (
        <Button component={Link} to={pageLink('dashboard', { company_id: companyId })} sx={{ mt: 2 }}>
          Go to the dashboard
        </Button>
      ) : (
        <RequoteButton companyId={companyId} obligationId={obligationId} label="Get an offer" />
      )}
    </SectionCard>
  );
}
