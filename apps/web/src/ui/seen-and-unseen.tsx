import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { Icon, type IconName } from './icons.tsx';

const SEEN = [
  'Your VAT periods: which returns HMRC expects and has',
  'The returns filed, and what you owe or have paid in VAT',
  'We file a return, only when you press the button for it',
];
const UNSEEN = [
  'Your Government Gateway user ID or password',
  'Other taxes: payroll, corporation tax, self assessment',
  'Your bank details at HMRC; we cannot change them',
];

/** What the connection lets us see and do, and what it does not. */
export function SeenAndUnseen() {
  return (
    <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
      <Points title="What we will see and do" icon="check" tone="success.tone" points={SEEN} />
      <Points title="What we will not see" icon="close" tone="error.tone" points={UNSEEN} />
    </Box>
  );
}

function Points({ title, icon, tone, points }: { title: string; icon: IconName; tone: string; points: readonly string[] }) {
  return (
    <div>
      <Typography component="h2" variant="h3" sx={{ mb: 1 }}>
        {title}
      </Typography>
      <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0, display: 'grid', gap: 1 }}>
        {points.map((point) => (
          <Box component="li" key={point} sx={{ display: 'flex', gap: 1 }}>
            <Icon name={icon} sx={{ fontSize: 20, mt: '2px', color: tone }} />
            <span>{point}</span>
          </Box>
        ))}
      </Box>
    </div>
  );
}
