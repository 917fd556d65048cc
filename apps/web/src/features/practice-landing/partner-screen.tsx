/** A partner's landing page for practices: how to export the client list from the partner's product and import it here. */
import { PAGES } from '@portal/contract/pages.ts';
import { getPracticeStepPath } from '@portal/contract/practice.ts';
import { useSession } from '../../core/session.tsx';
import { getClientImportLink } from '../../lib/practice-home.ts';
import { getSavedCompanyId } from '../../lib/saved-company-id.ts';
import { Button } from '../../ui/button.tsx';
import { Stack } from '../../ui/layout.tsx';
import { NumberedSteps } from '../../ui/numbered-steps.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { findPracticePartner } from './practice-partner.ts';

export const FreeagentScreen = () => <PartnerScreen name="freeagent" />;
export const NomiScreen = () => <PartnerScreen name="nomi" />;

function PartnerScreen({ name }: { name: string }) {
  const partner = findPracticePartner(name);
  if (partner === undefined) throw new RangeError(`${name} is not an OpenTax partner`);
  const { copy, logoText, consentText } = partner;
  return (
    <Page title={copy.headline} lead={copy.lead} maxWidth="text" actions={<EntryLinks partner={name} />}>
      <Stack gap={24}>
        <SectionCard title="How to bring your clients over">
          <NumberedSteps steps={copy.steps} />
        </SectionCard>
        <SectionCard title={`What we get from ${logoText}`}>
          <Stack gap={12}>
            <Text>{consentText}</Text>
            <Text>
              We don’t connect to your {logoText} account or ask for your password. You export the list, check it and choose what to upload.
            </Text>
          </Stack>
        </SectionCard>
        <SectionCard title="What your list needs">
          <Text>
            Each row needs a name and any tax references you have. You can keep {logoText}’s column names. Before anything is saved, a
            preview shows any columns we’ll ignore and any rows we can’t read.
          </Text>
        </SectionCard>
      </Stack>
    </Page>
  );
}

/** Existing practices go to the import. Everyone else signs up first, and the steps then lead to the import. */
function EntryLinks({ partner }: { partner: string }) {
  const { session } = useSession();
  const isPractice = session.status === 'signed_in' && session.person.type === 'practice';
  const companyId = getSavedCompanyId();
  if (isPractice) {
    return (
      <Button
        to={companyId === '' ? `${getPracticeStepPath('import')}?source=${partner}` : getClientImportLink(companyId, { source: partner })}
      >
        Import clients
      </Button>
    );
  }
  return (
    <>
      <Button to={`${PAGES.openTaxSignup.path}?partner=${partner}`}>Sign up your practice</Button>
      {session.status !== 'signed_in' && (
        <Button to={PAGES.loginV2.path} variant="outlined">
          Log in
        </Button>
      )}
    </>
  );
}
