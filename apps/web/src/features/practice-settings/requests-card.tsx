import { authorisationRequestsApi } from '@portal/contract/authorisation-requests.ts';
import { AGENT_TAXES, type AgentTax, TAX_NAMES } from '@portal/domain/uk-tax/tax.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { RequestLinks } from '../../components/practice/request-links.tsx';
import { RequestRunResult } from '../../components/practice/request-run-result.tsx';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { Button } from '../../ui/button.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Stack } from '../../ui/layout.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';

const POLL_MS = 2_000;

/** Pending authorisation requests to clients, and the latest run that created requests. */
export function RequestsCard({ companyId }: { companyId: string }) {
  const clientsPath = getPageLink('practiceClients', { company_id: companyId, authorisation: 'missing', status: 'in_hand' });
  return (
    <SectionCard title="Authorisation requests" source="We check every four hours whether clients have responded.">
      <Stack gap={24}>
        <Text>
          To create requests for many clients, <TextLink to={clientsPath}>select them in the client list</TextLink>.
        </Text>
        {AGENT_TAXES.map((tax) => (
          <TaxRequests key={tax} companyId={companyId} tax={tax} />
        ))}
      </Stack>
    </SectionCard>
  );
}

function TaxRequests({ companyId, tax }: { companyId: string; tax: AgentTax }) {
  const queryClient = useQueryClient();
  const { data } = useQuery({
    ...apiQuery(authorisationRequestsApi.latest, { company_id: companyId, tax }),
    refetchInterval: ({ state }) => (state.data?.run?.ended_at === null ? POLL_MS : false),
  });
  const cancel = useMutation({
    mutationFn: () => apiRequest(authorisationRequestsApi.cancel, { company_id: companyId, tax }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [authorisationRequestsApi.latest.path] }),
  });
  const run = data?.run;
  return (
    <Stack gap={8} align="start">
      {run && <RequestRunResult companyId={companyId} run={run} />}
      {run?.ended_at === null && (
        <Button size="small" variant="outlined" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
          Stop <HiddenText>creating {TAX_NAMES[tax]} requests</HiddenText>
        </Button>
      )}
      {cancel.error !== null && (
        <Text role="alert" tone="error">
          {getErrorText(cancel.error)}
        </Text>
      )}
      <RequestLinks companyId={companyId} tax={tax} />
    </Stack>
  );
}
