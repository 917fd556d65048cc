/** Shown to team members on the import page: who in the practice can import clients. */
import { clientsApi } from '@portal/contract/clients.ts';
import { useQuery } from '@tanstack/react-query';
import { PracticePage } from '../../components/practice/practice-page.tsx';
import { apiQuery } from '../../lib/api.ts';
import { getPracticeHomeLink } from '../../lib/practice-home.ts';
import { Button } from '../../ui/button.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';

/** The server doesn't list members for users outside the practice, so this reveals nothing to them. */
export function ImportForAdmins({ companyId }: { companyId: string }) {
  const query = useQuery(apiQuery(clientsApi.members, { company_id: companyId }));
  return (
    <PracticePage title="Import clients" maxWidth="text">
      <LoadState query={query}>
        {({ members }) => (
          <SectionCard title="Only admins can import clients">
            <Stack align="start">
              <Text>{describeWhomToAsk(members.filter(({ role }) => role === 'admin').map(({ full_name: name }) => name))}</Text>
              <Button to={getPracticeHomeLink(companyId)} variant="outlined">
                Go to the practice
              </Button>
            </Stack>
          </SectionCard>
        )}
      </LoadState>
    </PracticePage>
  );
}

function describeWhomToAsk(admins: readonly string[]): string {
  const adminNames = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(admins);
  return `You’re a team member of this practice, so you see only the clients assigned to you. ${
    admins.length === 0 ? 'Ask an admin' : `Ask ${adminNames}`
  } to import your clients and assign them to you.`;
}
