import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import Typography from '@mui/material/Typography';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import { TAX_NAMES } from '../lib/tax-names.ts';

/** The source of each tax's figures. HMRC's APIs cover the taxes very differently (docs/product/decisions.md section 5). */
const SOURCES: readonly { readonly tax: Tax; readonly text: string }[] = [
  { tax: 'vat', text: 'Read from HMRC for clients who have authorised you.' },
  {
    tax: 'paye',
    text: 'From the statements you import: HMRC’s service for agents’ software does not cover it. Deadlines follow the rules.',
  },
  {
    tax: 'ct',
    text: 'From the statements you import, with periods from Companies House: HMRC’s service for agents’ software does not cover it.',
  },
  { tax: 'sa', text: 'Read from HMRC for clients who have authorised you, with payments on account and balancing payment.' },
];

type TaxChoiceProps = { chosen: readonly Tax[]; onChange: (chosen: readonly Tax[]) => void };

/** Checkboxes for the four taxes, each with the source of its figures. */
export function TaxChoice({ chosen, onChange }: TaxChoiceProps) {
  return (
    <Box component="fieldset" sx={{ border: 0, m: 0, p: 0 }}>
      <Typography component="legend" sx={{ fontWeight: 500, p: 0, mb: 1 }}>
        Taxes
      </Typography>
      {SOURCES.map(({ tax, text }) => {
        const isChosen = chosen.includes(tax);
        return (
          <Box key={tax} sx={{ display: 'flex', gap: 1, py: 1, '& + &': { borderTop: 1, borderColor: 'divider' } }}>
            <Checkbox
              id={`tax-${tax}`}
              checked={isChosen}
              onChange={() => onChange(SOURCES.map((one) => one.tax).filter((one) => (one === tax ? !isChosen : chosen.includes(one))))}
              slotProps={{ input: { 'aria-describedby': `tax-${tax}-source` } }}
              sx={{ alignSelf: 'flex-start' }}
            />
            <Box sx={{ minWidth: 0, pt: 1 }}>
              <Typography component="label" htmlFor={`tax-${tax}`} sx={{ fontWeight: 500 }}>
                {TAX_NAMES[tax]}
              </Typography>
              <Typography id={`tax-${tax}-source`} variant="body2" sx={{ color: 'text.secondary' }}>
                {text}
              </Typography>
            </Box>
          </Box>
        );
      })}
      {chosen.length === 0 && (
        <Typography role="status" variant="body2" sx={{ color: 'error.tone', fontWeight: 500 }}>
          Choose at least one tax.
        </Typography>
      )}
    </Box>
  );
}
