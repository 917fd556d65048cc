/** The accountant that is the company's agent here, if an accountant referred the company. */
import { agentApi } from '@portal/contract/partners.ts';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { InstantText } from '../../ui/date-text.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { ActionError } from './action-error.tsx';

export function AgentCard({ companyId }: { companyId: string }) {
  const queries = useQueryClient();
  const query = useQuery(apiQuery(agentApi.find, { company_id: companyId }));
  const act = useMutation({
    mutationFn: (change: 'set' | 'end') => apiRequest(agentApi[change], { company_id: companyId }),
    onSettled: () => queries.invalidateQueries({ queryKey: [agentApi.find.path] }),
  });
  const agent = query.data?.agent ?? null;
  const maySet = query.data?.may_set ?? null;
  // Companies without a referring accountant have nothing to choose.
  if (!agent && !maySet) return null;
  const name = (agent ?? maySet)?.logo_text ?? '';
  return (
    <SectionCard title="Your agent">
      <Typography sx={{ maxWidth: '68ch' }}>
        {agent ? (
          <>
            {name} is set as your agent here since <InstantText at={agent.since} />. It sees your company’s name and how far your refunds
            have come, never an amount. Its authority at HMRC is its own and is not changed here.
          </>
        ) : (
          `${name} is not set as your agent here and sees nothing of this company. ${maySet?.consent_text ?? ''}`
        )}
      </Typography>
      <Button
        variant="outlined"
        color={agent ? 'error' : 'primary'}
        onClick={() => act.mutate(agent ? 'end' : 'set')}
        loading={act.isPending}
        sx={{ mt: 2 }}
      >
        {agent ? `Remove ${name} as your agent` : `Set ${name} as your agent`}
      </Button>
      <ActionError error={act.error} />
    </SectionCard>
  );
}
