/** Explains why buttons that need HMRC are disabled. Admins get a link to connect HMRC, others a hint to ask an admin. */
import { settingsPath } from '@portal/contract/practice.ts';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Link as RouterLink, useLocation } from 'react-router';
import type { HmrcMissing } from '../lib/use-hmrc-missing.ts';

type ConnectHmrcFirstProps = {
  /** The disabled buttons refer to it with aria-describedby. */
  id: string;
  companyId: string;
  missing: HmrcMissing;
  canConnect: boolean;
};

export function ConnectHmrcFirst({ id, companyId, missing, canConnect }: ConnectHmrcFirstProps) {
  const path = settingsPath('connections');
  const isOnConnectionsPage = useLocation().pathname === path;
  const hasEnded = missing === 'lapsed';
  return (
    <Typography id={id} variant="body2" sx={{ color: 'warning.tone' }}>
      {hasEnded ? 'The connection to HMRC has ended' : 'HMRC is not connected'}, so HMRC cannot be asked. What you see stays, with its
      dates.{' '}
      {!canConnect ? (
        `Ask an admin of your practice to connect HMRC${hasEnded ? ' again' : ''}.`
      ) : isOnConnectionsPage ? (
        'Connect it above.'
      ) : (
        <Link component={RouterLink} to={`${path}?${new URLSearchParams({ company_id: companyId })}`} sx={{ fontWeight: 500 }}>
          Connect HMRC{hasEnded && ' again'}
        </Link>
      )}
    </Typography>
  );
}
