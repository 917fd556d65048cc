/**
 * Shown after the person declined at Xero, or used a Xero login that may not grant access: explains what was missing and how to continue.
 */
import { PAGES } from '@portal/contract/pages.ts';
import { practiceStepPath } from '@portal/contract/practice.ts';
import { AccountingProviderButton } from '../../ui/accounting-provider-button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router';
import { PORTAL_BASE } from '../../lib/settings.ts';
import { providerSignInUrl } from '../../lib/sign-in-providers.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { PointList } from '../../ui/point-list.tsx';
import { SectionCard } from '../../ui/section-card.tsx';

const REQUESTED_ACCESS = ['Your name', 'Your email address'];
const ACCESS_NOT_REQUESTED = ['Your clients’ books', 'Your practice’s billing or staff in Xero', 'Anything that could be changed in Xero'];

export function XeroDeclinedScreen() {
  const link = `${location.origin}${PORTAL_BASE}${PAGES.openTaxSignup.path}`;
  const mail = `mailto:?${new URLSearchParams({
    subject: 'Please sign our practice up',
    body: `I could not finish the sign-up with my Xero login. You may have the rights for it: ${link}`,
  })
    .toString()
    .replaceAll('+', '%20')}`;
  return (
    <Page title="Xero did not let us in" maxWidth="text" lead="Nothing was connected, and nothing of yours has come here.">
      <Box sx={{ display: 'grid', gap: 3 }}>
        <Notice tone="info" title="What was missing">
          Xero asked whether we may know who you are, and the answer was no: it was refused, or your Xero login may not give it.
        </Notice>
        <SectionCard title="What we ask Xero for">
          <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
            <div>
              <Typography component="h3" variant="h3" sx={{ mb: 1 }}>
                Asked for
              </Typography>
              <PointList points={REQUESTED_ACCESS} />
            </div>
            <div>
              <Typography component="h3" variant="h3" sx={{ mb: 1 }}>
                Not asked for
              </Typography>
              <PointList points={ACCESS_NOT_REQUESTED} icon="close" tone="error" />
            </div>
          </Box>
        </SectionCard>
        <ButtonRow>
          {/* Xero's page is not part of this app, so the browser must load it. */}
          <AccountingProviderButton
            filled
            fullWidth={false}
            label="Try Xero again"
            href={providerSignInUrl('xero', { next: practiceStepPath('practice') })}
          />
          <Button component={RouterLink} to={PAGES.openTaxSignup.path} variant="outlined">
            Sign up by email instead
          </Button>
        </ButtonRow>
        <SectionCard title="Somebody else has the rights?">
          <Typography sx={{ mb: 1.5 }}>Send them this link. They set the practice up and become its admin.</Typography>
          <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5, alignItems: 'center' }}>
            <Box component="code" sx={{ overflowWrap: 'anywhere' }}>
              {link}
            </Box>
            <CopyButton text={link} what="link" />
            <Link href={mail}>Write an email with it</Link>
          </Box>
        </SectionCard>
      </Box>
    </Page>
  );
}
