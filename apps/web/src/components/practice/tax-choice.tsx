import { TAX_NAMES, type Tax } from '@portal/domain/uk-tax/tax.ts';
import { Checkbox } from '../../ui/choice.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Text } from '../../ui/text.tsx';
import styles from './tax-choice.module.css';

/** Where each tax's figures come from. HMRC's APIs cover the taxes very differently (docs/product/decisions.md section 5). */
const SOURCES: readonly { readonly tax: Tax; readonly text: string }[] = [
  { tax: 'vat', text: 'Figures from HMRC, for clients who’ve authorised you.' },
  {
    tax: 'paye',
    text: 'Figures from statements you import, because HMRC doesn’t share them with agents’ software. We work out the deadlines.',
  },
  {
    tax: 'ct',
    text: 'Figures from statements you import, because HMRC doesn’t share them with agents’ software. Accounting periods come from Companies House.',
  },
  { tax: 'sa', text: 'Figures from HMRC, for clients who’ve authorised you, including payments on account and balancing payments.' },
];

type TaxChoiceProps = { chosen: readonly Tax[]; onChange: (chosen: readonly Tax[]) => void };

/** Checkboxes for the four taxes, each with the source of its figures. */
export function TaxChoice({ chosen, onChange }: TaxChoiceProps) {
  return (
    <Stack as="fieldset" gap={0}>
      <Text as="legend" weight="medium" className={styles.legend}>
        Taxes
      </Text>
      {SOURCES.map(({ tax, text }) => {
        const isChosen = chosen.includes(tax);
        return (
          <div key={tax} className={styles.tax}>
            <Checkbox
              id={`tax-${tax}`}
              label={TAX_NAMES[tax]}
              hint={text}
              checked={isChosen}
              onChange={() =>
                onChange(SOURCES.map((item) => item.tax).filter((item) => (item === tax ? !isChosen : chosen.includes(item))))
              }
            />
          </div>
        );
      })}
    </Stack>
  );
}
