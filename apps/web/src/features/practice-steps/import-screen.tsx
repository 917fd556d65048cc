/** Shown before the import: what the file needs, what happens to it, and a link to the import. */
import { FILE_SOURCES } from '@portal/domain/client-imports/import-states.ts';
import { useSearchParams } from '../../lib/search-params.ts';
import { formatClientCount } from '../../lib/client-labels.ts';
import { getCurrentPartner } from '../../lib/partner.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { getClientImportLink } from '../../lib/practice-home.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PointList } from '../../ui/point-list.tsx';
import { Heading } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { PracticeStepPage, type OwnPractice } from './practice-step-page.tsx';
import { getLinkAfterStep } from '../../lib/practice-steps.ts';

const NEEDED_ITEMS = [
  'One row for each client, with their name and any references you have',
  'Their VAT number, UTR, National Insurance number, company number and PAYE references: you can add missing ones later',
  'To request authorisation, HMRC needs the client’s VAT registration date, or their postcode for Self Assessment',
];

const NEXT_STEPS = [
  'We recognise the columns of most practice software, and only ask you about the others',
  'If the file has a status, former clients are imported as archived, and prospects are left out unless you choose to import them',
  'You’ll see a preview: new clients, clients you already have, and details we can’t read, which you can correct there',
  'You start the import, which takes less than a minute for 10,000 clients. If HMRC is connected, we then get their figures',
  'You can undo it for 24 hours',
];

export function ImportScreen() {
  return (
    <PracticeStepPage step="import" title="Import your clients" lead="Upload an export from your practice software, or use our template.">
      {(practice) => <Import known={practice} />}
    </PracticeStepPage>
  );
}

function Import({ known }: { known: OwnPractice }) {
  const [search] = useSearchParams();
  // Users who came through a partner's landing page have an export from that partner's product. The partner is known throughout the steps.
  const source = FILE_SOURCES.find((item) => item === (search.get('source') ?? getCurrentPartner()));
  return (
    <Stack gap={24}>
      {known.clients > 0 && (
        <Notice tone="success" title="Your clients have been imported">
          You have{' '}
          <TextLink to={getPageLink('practiceClients', { company_id: known.company_id })}>{formatClientCount(known.clients)}</TextLink>. You
          can import more files at any time. We match clients you already have, so there are no duplicates.
        </Notice>
      )}
      <Stack gap={8}>
        <Heading level={2} size="part">
          What your file needs
        </Heading>
        <PointList points={NEEDED_ITEMS} />
      </Stack>
      <Stack gap={8}>
        <Heading level={2} size="part">
          What happens next
        </Heading>
        <PointList points={NEXT_STEPS} />
      </Stack>
      <ButtonRow>
        <Button to={getClientImportLink(known.company_id, { source, isStep: true })}>Import clients</Button>
        <Button to={getLinkAfterStep('import', known)} variant="text">
          {known.clients > 0 ? 'Continue' : 'Do this later'}
        </Button>
      </ButtonRow>
    </Stack>
  );
}
