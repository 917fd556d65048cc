import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { Tax } from '@portal/domain/uk-tax/references/hmrc-bank-account.ts';
import { TAX_NAMES } from '../../lib/tax-names.ts';

const SOURCES: readonly { readonly tax: Tax; readonly text: string }[] = [
  { tax: 'vat', text: 'HMRC: returns due and filed, what is owed, paid and coming back, penalty points.' },
  { tax: 'sa', text: 'HMRC: balance, payments on account, balancing payment, deadlines.' },
  { tax: 'paye', text: 'Statements you import: HMRC’s service for agents’ software does not cover it. Deadlines by rule.' },
  { tax: 'ct', text: 'Statements you import, with periods from Companies House: HMRC’s service does not cover it either.' },
];

/** The four taxes and who says their figures. */
export function TaxSources() {
  return (
    <Box component="dl" sx={{ m: 0, display: 'grid', gap: 1.5 }}>
      {SOURCES.map(({ tax, text }) => (
        <div key={tax}>
          <Typography component="dt" sx={{ fontWeight: 600 }}>
            {TAX_NAMES[tax]}
          </Typography>
          <Typography component="dd" sx={{ m: 0, color: 'text.secondary' }}>
            {text}
          </Typography>
        </div>
      ))}
    </Box>
  );
}
