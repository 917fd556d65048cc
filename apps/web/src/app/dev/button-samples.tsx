import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { AccountingProviderButton } from '../../ui/accounting-provider-button.tsx';
import { BrandButton } from '../../ui/brand-button.tsx';
import { BrandMark, type Brand, type MarkLook } from '../../ui/brand-mark.tsx';
import { useToast } from '../../ui/toast.tsx';
import { Sample, Samples, Section } from './section.tsx';

const BRANDS: readonly Brand[] = ['microsoft', 'google', 'xero', 'hmrc', 'quickbooks', 'freeagent', 'email'];
const LOOKS: readonly MarkLook[] = ['default', 'filled', 'hover'];

export function ButtonSamples() {
  const toast = useToast();
  const choose = () => toast('success', 'The button was chosen');
  return (
    <>
      <Section id="buttons" title="Buttons" lead="48 high, 36 where small, at most 300 wide. One filled button a screen.">
        <Samples>
          {(['contained', 'outlined', 'text'] as const).map((variant) => (
            <Sample key={variant} name={variant === 'contained' ? 'filled' : variant}>
              <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5, alignItems: 'center' }}>
                <Button variant={variant} onClick={choose}>
                  File this return
                </Button>
                <Button variant={variant} size="small" onClick={choose}>
                  Small
                </Button>
                <Button variant={variant} disabled>
                  Disabled
                </Button>
              </Box>
            </Sample>
          ))}
        </Samples>
      </Section>
      <Section id="sign-in-buttons" title="Sign-in buttons" lead="Seven brands, outlined and filled, with marks that we drew.">
        <Samples>
          {BRANDS.map((brand) => (
            <Sample key={brand} name={brand}>
              <Box sx={{ display: 'grid', gap: 1.5 }}>
                <BrandButton brand={brand} onClick={choose} />
                <BrandButton brand={brand} filled onClick={choose} />
                <BrandButton brand={brand} size="small" onClick={choose} />
              </Box>
            </Sample>
          ))}
          <Sample name="Accounting provider: default, filled, small">
            <Box sx={{ display: 'grid', gap: 1.5 }}>
              <AccountingProviderButton onClick={choose} />
              <AccountingProviderButton filled onClick={choose} />
              <AccountingProviderButton size="small" label="Sign up with Xero" onClick={choose} />
            </Box>
          </Sample>
          {LOOKS.map((look) => (
            <Sample key={look} name={`Accounting provider: its picture, ${look}`}>
              <Box sx={{ display: 'inline-grid', p: 1.5, borderRadius: 1, bgcolor: look === 'filled' ? '#0A7397' : 'background.paper' }}>
                <BrandMark brand="xero" look={look} />
              </Box>
            </Sample>
          ))}
        </Samples>
      </Section>
    </>
  );
}
