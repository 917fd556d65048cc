import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import { TAX_NAMES } from '../lib/tax-names.ts';
import { Checkbox } from './choice.tsx';
import styles from './tax-choice.module.css';
import { Text } from './text.tsx';

/** The source of each tax's figures. HMRC's APIs cover the taxes very differently (docs/product/decisions.md section 5). */
const SOURCES: readonly { readonly tax: Tax; readonly text: string }[] = [
  { tax: 'vat', text: 'From HMRC, for clients who have authorised you.' },
  {
    tax: 'paye',
    text: 'From statements you import, because HMRC doesn’t share PAYE with agents’ software. Deadlines are calculated.',
  },
  {
    tax: 'ct',
    text: 'From statements you import, because HMRC doesn’t share corporation tax with agents’ software. Periods come from Companies House.',
  },
  { tax: 'sa', text: 'From HMRC, for clients who have authorised you, including payments on account and the balancing payment.' },
];

type TaxChoiceProps = { chosen: readonly Tax[]; onChange: (chosen: readonly Tax[]) => void };

/** Checkboxes for the four taxes, each with the source of its figures. */
export function TaxChoice({ chosen, onChange }: TaxChoiceProps) {
  return (
    <fieldset className={styles.taxes}>
      <legend>Taxes</legend>
      {SOURCES.map(({ tax, text }) => {
        const isChosen = chosen.includes(tax);
        return (
          <Checkbox
            key={tax}
            id={`tax-${tax}`}
            label={<span className={styles.name}>{TAX_NAMES[tax]}</span>}
            hint={text}
            checked={isChosen}
            onChange={() => onChange(SOURCES.map((one) => one.tax).filter((one) => (one === tax ? !isChosen : chosen.includes(one))))}
            className={styles.tax}
          />
        );
      })}
      {chosen.length === 0 && (
        <Text role="status" size="small" weight="medium" tone="error">
          Choose at least one tax
        </Text>
      )}
    </fieldset>
  );
}
