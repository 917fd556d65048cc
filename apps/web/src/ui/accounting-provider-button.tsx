import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { BrandMark, WORD_MARKS } from './brand-mark.tsx';

type AccountingProviderButtonProps = {
  /** Replaces "Sign in with Xero", for example with "Sign up with Xero". */
  label?: string;
  /** Filled with the provider's colour, for the main action of a screen. */
  filled?: boolean;
  size?: 'large' | 'small';
  fullWidth?: boolean;
} & ({ href: string } | { onClick: () => void });

const { colour, hover } = WORD_MARKS.xero;

/**
 * Sign-in button of the accounting provider. Its logo has three variants: default, filled, and hover or focus
 * (docs/product/specification.md section 2.6).
 */
export function AccountingProviderButton(props: AccountingProviderButtonProps) {
  const { label = 'Sign in with Xero', filled = false, size = 'large', fullWidth = true, ...action } = props;
  return (
    <Button
      {...action}
      size={size}
      fullWidth={fullWidth}
      variant={filled ? 'contained' : 'outlined'}
      color="secondary"
      sx={{
        gap: 1.5,
        px: 2,
        justifyContent: 'flex-start',
        ...(filled
          ? { bgcolor: colour, color: '#fff', '&:hover': { bgcolor: hover } }
          : { borderColor: 'control', color: 'text.primary', '&:hover': { bgcolor: 'secondary.soft', borderColor: hover } }),
        '& [data-look="hover"], &:hover [data-look="default"], &.Mui-focusVisible [data-look="default"]': { display: 'none' },
        '&:hover [data-look="hover"], &.Mui-focusVisible [data-look="hover"]': { display: 'grid' },
      }}
    >
      {filled ? (
        <BrandMark brand="xero" look="filled" />
      ) : (
        (['default', 'hover'] as const).map((look) => (
          <Box key={look} component="span" data-look={look} sx={{ display: 'grid' }}>
            <BrandMark brand="xero" look={look} />
          </Box>
        ))
      )}
      {label}
    </Button>
  );
}
