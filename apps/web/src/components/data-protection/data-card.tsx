/** Downloads all data of a user, company or practice, and links to the page for closing the account. */
import { securityApi } from '@portal/contract/security.ts';
import { COMPANY_DATA_PATH, PERSON_DATA_PATH, PRACTICE_DATA_PATH } from '@portal/contract/data-protection.ts';
import { useMutation } from '@tanstack/react-query';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { PORTAL_BASE } from '../../lib/settings.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';

/** For a practice, `companyId` is the practice's id. */
export type DataOwner = { readonly of: 'person' } | { readonly of: 'company' | 'practice'; readonly companyId: string };

const TEXTS = {
  person: {
    title: 'Your data',
    text: 'A ZIP file with the data we store about you: your details, how you log in, your devices and what you’ve done here.',
    download: 'Download your data',
    close: 'Close your account',
  },
  company: {
    title: 'Company data',
    text: 'A ZIP file with everything we store about the company: books, returns with HMRC’s receipts, advances and payments.',
    download: 'Download company data',
    close: 'Close company account',
  },
  practice: {
    title: 'Practice data',
    text: 'A ZIP file with everything we store about the practice: clients, their figures and notes, imports and who did what.',
    download: 'Download practice data',
    close: 'Close practice account',
  },
} as const;

const PATHS = { person: PERSON_DATA_PATH, company: COMPANY_DATA_PATH, practice: PRACTICE_DATA_PATH };

export function DataCard({ account }: { account: DataOwner }) {
  const labels = TEXTS[account.of];
  const query: Record<string, string> = account.of === 'person' ? {} : { company_id: account.companyId };
  // Asks the user to confirm their identity if needed, because the browser's own download can't.
  const download = useMutation({
    mutationFn: async () => {
      await apiRequest(securityApi.checkConfirmed, {});
      startDownload(`${PORTAL_BASE}${PATHS[account.of]}?${new URLSearchParams(query)}`);
    },
  });
  return (
    <SectionCard title={labels.title}>
      <Stack gap={16}>
        <Text>{labels.text} Open index.html first. Store the file safely: it isn’t protected by a password.</Text>
        {download.error !== null && (
          <Notice tone="error" title="We couldn’t start the download" role="alert">
            {getErrorText(download.error)}
          </Notice>
        )}
        <ButtonRow>
          <Button variant="outlined" onClick={() => download.mutate()} isBusy={download.isPending}>
            {labels.download}
          </Button>
          <Button variant="text" tone="error" to={getPageLink('closeAccount', account.of === 'person' ? {} : { of: account.of, ...query })}>
            {labels.close}
          </Button>
        </ButtonRow>
      </Stack>
    </SectionCard>
  );
}

/** Behaves like a click on a link, so a failed download leaves the page unchanged. */
function startDownload(address: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = '';
  link.click();
}
