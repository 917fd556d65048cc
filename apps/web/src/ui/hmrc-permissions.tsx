import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { IconName } from './icons.tsx';
import { PointList } from './point-list.tsx';
import type { Tone } from './tone.ts';

const ALLOWED = [
  'Your VAT periods: which returns HMRC expects and has',
  'The returns filed, and what you owe or have paid in VAT',
  'We file a return, only when you press the button for it',
];
const NOT_ALLOWED = [
  'Your Government Gateway user ID or password',
  'Other taxes: payroll, corporation tax, self assessment',
  'Your bank details at HMRC; we cannot change them',
];

type HmrcPermissionsProps = { allowed?: readonly string[]; notAllowed?: readonly string[] };

/** What the HMRC connection lets us see and do, and what it doesn't. Defaults to a trader's connection. */
export function HmrcPermissions({ allowed = ALLOWED, notAllowed = NOT_ALLOWED }: HmrcPermissionsProps) {
  return (
    <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
      <Points title="What we will see and do" icon="check" tone="success" points={allowed} />
      <Points title="What we will not see" icon="close" tone="error" points={notAllowed} />
    </Box>
  );
}

function Points({ title, icon, tone, points }: { title: string; icon: IconName; tone: Tone; points: readonly string[] }) {
  return (
    <div>
      <Typography component="h2" variant="h3" sx={{ mb: 1 }}>
        {title}
      </Typography>
      <PointList points={points} icon={icon} tone={tone} />
    </div>
  );
}
