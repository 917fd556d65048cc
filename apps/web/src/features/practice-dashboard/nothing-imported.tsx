import { getPageLink } from '../../lib/page-link.ts';
import { getClientImportLink } from '../../lib/practice-home.ts';
import { Button } from '../../ui/button.tsx';
import { Stack } from '../../ui/layout.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';

/** The dashboard of a practice or a team member without active clients. */
export function NothingImported({ companyId, isAdmin }: { companyId: string; isAdmin: boolean }) {
  const importLink = getClientImportLink(companyId);
  return (
    <SectionCard title={isAdmin ? 'Add your clients to get started' : 'No clients assigned to you yet'}>
      <Stack align="start">
        <Text measure>
          {isAdmin
            ? 'You’ll then see what your clients owe, what must be filed and when, and which refunds they’re due.'
            : 'When an admin of your practice assigns clients to you, their figures appear here.'}
        </Text>
        {isAdmin && (
          <Button to={importLink ?? getPageLink('practiceClients', { company_id: companyId })}>
            {importLink === undefined ? 'Add a client' : 'Import clients'}
          </Button>
        )}
      </Stack>
    </SectionCard>
  );
}
