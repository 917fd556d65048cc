/** Explains to visitors how filing a VAT return works here, and leads to sign-up (docs/product/decisions.md section 4). */
import { PAGES } from '@portal/contract/pages.ts';
import { DECLARATIONS } from '@portal/domain/vat-returns/declarations.ts';
import { ButtonRow } from '../../ui/button-row.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router';
import { BOX_NAMES } from '../../lib/box-names.ts';
import { PORTAL_BASE } from '../../lib/settings.ts';
import { Page } from '../../ui/page.tsx';
import { NumberedSteps } from '../../ui/numbered-steps.tsx';
import { SectionCard } from '../../ui/section-card.tsx';

const STEPS = [
  { title: 'Allow us to work with your VAT account', text: 'On HMRC’s own page. We never see your Government Gateway password.' },
  { title: 'Upload your books', text: 'One file of transactions. You see every row that we could not read before anything is kept.' },
  { title: 'Check the nine boxes', text: 'Each opens the transactions behind it, and we point out what tends to make HMRC ask.' },
  { title: 'Declare and file', text: 'Only once the period has ended, and only when you press the button.' },
  { title: 'Keep the receipt', text: 'HMRC answers at once. We keep the receipt for six years.' },
  { title: 'If it ends in a refund', text: 'We offer to pay it within 24 hours. You decide.' },
];

export function VatReturnInfoScreen() {
  return (
    <Page
      title="File your VAT return with us"
      maxWidth="text"
      lead="From your books to HMRC’s receipt, under Making Tax Digital. Filing costs nothing."
    >
      <Box sx={{ mt: -1, mb: 4 }}>
        <ButtonRow>
          <SignUpLinks />
        </ButtonRow>
      </Box>
      <Box sx={{ display: 'grid', gap: 3 }}>
        <SectionCard title="What happens">
          <NumberedSteps steps={STEPS} />
        </SectionCard>
        <SectionCard title="The nine boxes">
          <Box component="dl" sx={{ m: 0, display: 'grid', gridTemplateColumns: 'max-content 1fr', columnGap: 2, rowGap: 1.5 }}>
            {BOX_NAMES.map(({ number, name, computed, unit }) => (
              <Box key={number} sx={{ display: 'contents' }}>
                <Box component="dt" sx={{ fontWeight: 600, fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}>
                  Box {number}
                </Box>
                <Box component="dd" sx={{ m: 0 }}>
                  {name}
                  <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                    {computed
                      ? `${computed}. We compute it; nobody types it.`
                      : unit === 'pounds'
                        ? 'In whole pounds.'
                        : 'In pounds and pence.'}
                  </Typography>
                </Box>
              </Box>
            ))}
          </Box>
        </SectionCard>
        <SectionCard title="The declaration">
          <Typography>Before a return is final, you confirm HMRC’s own words:</Typography>
          <Box component="blockquote" sx={{ m: 0, mt: 1.5, pl: 2, borderLeft: 4, borderColor: 'primary.main' }}>
            {DECLARATIONS.trader}
          </Box>
        </SectionCard>
        <SectionCard title="What HMRC gets">
          <Typography>
            The nine boxes of the period, your declaration, and the facts of your browser and connection that the law asks for against
            fraud. Your transactions stay here.
          </Typography>
        </SectionCard>
        <SectionCard title="The receipt">
          <Typography>
            HMRC’s receipt has a number and a time. You can open and print it at any time. If an answer is lost on the way, we never file a
            second time on a guess: we ask HMRC what it has.
          </Typography>
        </SectionCard>
        <ButtonRow>
          <SignUpLinks />
        </ButtonRow>
      </Box>
    </Page>
  );
}

function SignUpLinks() {
  return (
    <>
      {/* The landing page is not part of this app, so the browser must load it. */}
      <Button href={`${PORTAL_BASE}${PAGES.instantVatLanding.path}`}>Sign up</Button>
      <Button component={RouterLink} to={`${PAGES.demo.path}/vat-return`} variant="outlined">
        See a return in the demo
      </Button>
    </>
  );
}
