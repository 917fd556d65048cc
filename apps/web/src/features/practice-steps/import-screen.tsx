/** Before the import: what the file needs, what happens to it, and the link to the import. */
import { FILE_SOURCES } from '@portal/domain/client-imports/import-states.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';

import { Link, useSearchParams } from 'react-router';
import { getCurrentPartner } from '../../lib/partner.ts';
import { clientImportLink } from '../../lib/practice-home.ts';
import { Notice } from '../../ui/notice.tsx';
import { PointList } from '../../ui/point-list.tsx';
import { PracticeStepPage, type OwnPractice } from './practice-step-page.tsx';
import { getLinkAfterStep } from './use-practice.ts';

const NEEDED = [
  'One row for each client: the name, and the references you have.',
  'VAT number, UTR, National Insurance number, company number, PAYE references: those that are empty can follow later.',
  'For requests of authority HMRC wants the VAT registration date, or the postcode for Self Assessment.',
];

const HAPPENS = [
  'A dry run shows what is new, what we know already, and each row that cannot be read, with the reason.',
  'You press the button; 10,000 clients take less than a minute.',
  'It can be undone for 24 hours.',
];

export function ImportScreen() {
  return (
    <PracticeStepPage
      step="import"
      title="Bring your clients"
      lead="As a CSV or XLSX file: from your practice software, or from our template."
    >
      {(practice) => <Import known={practice} />}
    </PracticeStepPage>
  );
}

function Import({ known }: { known: OwnPractice }) {
  const [search] = useSearchParams();
  // People who came through a partner's landing page have that product's export. The partner is known throughout the steps.
  const source = FILE_SOURCES.find((one) => one === (search.get('source') ?? getCurrentPartner()));
  return (
    <>
      {known.clients > 0 && (
        <Box sx={{ mb: 3 }}>
          <Notice
            tone="success"
            title={`${known.clients.toLocaleString('en-GB')} ${known.clients === 1 ? 'client is' : 'clients are'} here`}
          >
            You can import further files at any time: clients we know are matched, not doubled.
          </Notice>
        </Box>
      )}
      <Typography component="h2" variant="h3" sx={{ mb: 1 }}>
        What the file needs
      </Typography>
      <PointList points={NEEDED} />
      <Typography component="h2" variant="h3" sx={{ mt: 3, mb: 1 }}>
        What happens with it
      </Typography>
      <PointList points={HAPPENS} />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5, mt: 3 }}>
        <Button component={Link} to={clientImportLink(known.company_id, source)}>
          Import clients
        </Button>
        <Button component={Link} to={getLinkAfterStep('import', known)} variant="text">
          {known.clients > 0 ? 'Continue' : 'Later'}
        </Button>
      </Box>
    </>
  );
}
