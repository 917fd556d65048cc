import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { BrandMark, type Brand } from './brand-mark.tsx';

const WORDS: Readonly<Record<Brand, string>> = {
  microsoft: 'Sign in with Microsoft',
  google: 'Sign in with Google',
  xero: 'Sign in with Xero',
  hmrc: 'Sign in with HMRC',
  quickbooks: 'Sign in with QuickBooks',
  freeagent: 'Sign in with FreeAgent',
  email: 'Sign in with email',
};

type BrandButtonProps = {
  brand: Brand;
  /** Another sentence than "Sign in with Xero". */
  label?: string;
  /** The main way on of its screen; otherwise outlined. */
  filled?: boolean;
  /** 48 px high, 36 where small (specification 9). */
  size?: 'large' | 'small';
  /** Whether what the button opens on this page is open. */
  expanded?: boolean;
} & ({ href: string } | { onClick: () => void });

/** A sign-in button of a brand: default, filled, and both under the pointer (specification 2.6). */
export function BrandButton({ brand, label = WORDS[brand], filled = false, size = 'large', expanded, ...action }: BrandButtonProps) {
  return (
    <Button
      {...action}
      aria-expanded={expanded}
      size={size}
      variant={filled ? 'contained' : 'outlined'}
      color={filled ? 'primary' : 'secondary'}
      fullWidth
      sx={{
        // Beside a button whose words need two lines, both are as high.
        height: '100%',
        justifyContent: 'flex-start',
        gap: 1.5,
        px: 2,
        ...(filled ? {} : { borderColor: 'control', color: 'text.primary' }),
      }}
    >
      {filled && brand !== 'email' ? (
        // The brands' colours need a white ground beside our own.
        <Box component="span" sx={{ display: 'grid', p: 0.5, borderRadius: 0.5, bgcolor: '#fff' }}>
          <BrandMark brand={brand} />
        </Box>
      ) : (
        <BrandMark brand={brand} />
      )}
      {label}
    </Button>
  );
}
