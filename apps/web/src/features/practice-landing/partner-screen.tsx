/** A partner's landing page for practices: how to export the client list there and import it here. */
import { PAGES } from '@portal/contract/pages.ts';
import { practiceStepPath } from '@portal/contract/practice.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Link } from 'react-router';
import { useSession } from '../../core/session.tsx';
import { clientImportLink } from '../../lib/practice-home.ts';
import { getSavedCompanyId } from '../../lib/saved-company-id.ts';
import { NumberedSteps } from '../../ui/numbered-steps.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { findPracticePartner } from './practice-partner.ts';

export const FreeagentScreen = () => <PartnerScreen name="freeagent" />;
export const NomiScreen = () => <PartnerScreen name="nomi" />;

function PartnerScreen({ name }: { name: string }) {
  const partner = findPracticePartner(name);
  if (partner === undefined) throw new RangeError(`${name} is not an OpenTax partner`);
  const { copy, logoText, consentText } = partner;
  return (
    <Page title={copy.headline} lead={copy.lead} maxWidth="text" actions={<EntryLinks partner={name} />}>
      <Box sx={{ display: 'grid', gap: 3 }}>
        <SectionCard title="How your clients come over">
          <NumberedSteps steps={copy.steps} />
        </SectionCard>
        <SectionCard title={`What leaves ${logoText}, and what does not`}>
          <Typography>{consentText}</Typography>
          <Typography sx={{ mt: 1.5 }}>
            We are not connected to your {logoText} account, and ask for no password of it: you export the list, look at it, and upload what
            you choose.
          </Typography>
        </SectionCard>
        <SectionCard title="What the list needs">
          <Typography>
            A name in each row, and the tax references you have. Columns may have {logoText}’s names; the dry run names every column it
            leaves out and every row it could not read, before anything is kept.
          </Typography>
        </SectionCard>
      </Box>
    </Page>
  );
}

/** Existing practices go to the import. Everyone else signs up first, and the steps lead to the import. */
function EntryLinks({ partner }: { partner: string }) {
  const { session } = useSession();
  const isPractice = session.status === 'signed_in' && session.person.type === 'practice';
  const companyId = getSavedCompanyId();
  if (isPractice) {
    return (
      <Button
        component={Link}
        to={companyId === '' ? `${practiceStepPath('import')}?source=${partner}` : clientImportLink(companyId, partner)}
      >
        Import clients
      </Button>
    );
  }
  return (
    <>
      <Button component={Link} to={`${PAGES.openTaxSignup.path}?partner=${partner}`}>
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
