import { AccountingProviderButton } from '../../ui/accounting-provider-button.tsx';
import { Button } from '../../ui/button.tsx';
import { BrandButton } from '../../ui/brand-button.tsx';
import { BrandMark, type Brand, type MarkLook } from '../../ui/brand-mark.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { useToast } from '../../ui/toast.tsx';
import { Sample, Samples, Section } from './section.tsx';
import styles from './button-samples.module.css';

const BRANDS: readonly Brand[] = ['microsoft', 'google', 'xero', 'hmrc', 'quickbooks', 'freeagent', 'email'];
const MARK_LOOKS: readonly MarkLook[] = ['default', 'filled', 'hover'];

export function ButtonSamples() {
  const toast = useToast();
  const choose = () => toast('success', 'Button pressed');
  return (
    <>
      <Section id="buttons" title="Buttons" lead="48 px high, 36 when small, and at most 300 wide. One filled button per screen.">
        <Samples>
          {(['filled', 'outlined', 'text'] as const).map((variant) => (
            <Sample key={variant} name={variant}>
              <Row>
                <Button variant={variant} onClick={choose}>
                  File this return
                </Button>
                <Button variant={variant} size="small" onClick={choose}>
                  Small
                </Button>
                <Button variant={variant} disabled>
                  Disabled
                </Button>
              </Row>
            </Sample>
          ))}
        </Samples>
      </Section>
      <Section
        id="sign-in-buttons"
        title="Sign-in buttons"
        lead="Seven brands, outlined and filled, using our own versions of their logos."
      >
        <Samples>
          {BRANDS.map((brand) => (
            <Sample key={brand} name={brand}>
              <Stack gap={12}>
                <BrandButton brand={brand} onClick={choose} />
                <BrandButton brand={brand} filled onClick={choose} />
                <BrandButton brand={brand} size="small" onClick={choose} />
              </Stack>
            </Sample>
          ))}
          <Sample name="Accounting provider: default, filled, small">
            <Stack gap={12}>
              <AccountingProviderButton onClick={choose} />
              <AccountingProviderButton filled onClick={choose} />
              <AccountingProviderButton size="small" label="Sign up with Xero" onClick={choose} />
            </Stack>
          </Sample>
          {MARK_LOOKS.map((look) => (
            <Sample key={look} name={`Accounting provider: logo, ${look}`}>
              <div className={look === 'filled' ? styles.onBrand : styles.mark}>
                <BrandMark brand="xero" look={look} />
              </div>
            </Sample>
          ))}
        </Samples>
      </Section>
    </>
  );
}
