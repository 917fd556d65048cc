/** What OpenTax is, for a practice that does not know it; with a partner's name beside ours where a partner sent the visitor. */
import { PAGES } from '@portal/contract/pages.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Link } from 'react-router';
import { useSession } from '../../app/session.tsx';
import { currentPartner } from '../../lib/partner.ts';
import { Page } from '../../ui/page.tsx';
import { NumberedSteps } from '../../ui/numbered-steps.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { findPracticePartner } from './practice-partner.ts';
import { TaxSources } from './tax-sources.tsx';

const STEPS = [
  { title: 'Tell us your practice', text: 'Its name and the reference of its agent services account. We check the check letter.' },
  { title: 'Connect HMRC once', text: 'On HMRC’s own page, for all clients who have authorised you. We never see your password.' },
  { title: 'Bring your clients', text: 'One file, with a dry run before anything is kept, and 24 hours to undo it.' },
  { title: 'See what is due', text: 'Overdue first, then what comes next, with the clients behind every number.' },
];

export function OpenTaxLandingScreen() {
  const partner = findPracticePartner(currentPartner());
  return (
    <Page
      title={partner?.copy.headline ?? 'What every client owes, is owed and must file'}
      lead={
        partner?.copy.lead ??
        'OpenTax reads VAT and Self Assessment of your clients from HMRC, takes PAYE and corporation tax from your statements, and shows all four in one picture.'
      }
      actions={<Ways />}
    >
      <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'repeat(2, minmax(0, 1fr))' } }}>
        <SectionCard title="How it begins">
          <NumberedSteps steps={partner === undefined ? STEPS : [...partner.copy.steps, ...STEPS.slice(3)]} />
        </SectionCard>
        <SectionCard title="Where each figure comes from">
          <TaxSources />
        </SectionCard>
        <SectionCard title="What you can rely on">
          <Typography>
            Every figure names its source and its time. What a statement or a rule says is never shown as HMRC’s, and a figure that could
            not be read anew stays, with its date.
          </Typography>
        </SectionCard>
        <SectionCard title="Who sees what">
          <Typography>
            A team member sees the clients assigned to them, and no others: in lists, counts, exports and searches. Nothing is sent to HMRC
            unless one of you presses the button for it.
          </Typography>
          {partner !== undefined && <Typography sx={{ mt: 1.5 }}>{partner.consentText}</Typography>}
        </SectionCard>
      </Box>
    </Page>
  );
}

function Ways() {
  const { session } = useSession();
  if (session.status === 'signed_in' && session.person.type === 'practice') {
    return (
      <Button component={Link} to={session.person.home_path ?? PAGES.home.path}>
        Go to your practice
      </Button>
    );
  }
  return (
    <>
      <Button component={Link} to={PAGES.openTaxSignup.path}>
        Sign up your practice
      </Button>
      {session.status !== 'signed_in' && (
        <Button component={Link} to={PAGES.loginV2.path} variant="outlined">
          Log in
        </Button>
      )}
    </>
  );
}
