/** The accountant who acts as the company's agent here, if an accountant referred the company. */
import { agentApi } from '@portal/contract/partners.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { InstantText } from '../../components/formats/date-text.tsx';
import { Stack } from '../../ui/layout.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { ActionError } from './action-error.tsx';

export function AgentCard({ companyId }: { companyId: string }) {
  const queryClient = useQueryClient();
  const query = useQuery(apiQuery(agentApi.find, { company_id: companyId }));
  const actionMutation = useMutation({
    mutationFn: (change: 'set' | 'end') => apiRequest(agentApi[change], { company_id: companyId }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [agentApi.find.path] }),
  });
  const agent = query.data?.agent ?? null;
  const maySetAgent = query.data?.may_set ?? null;
  // If no accountant referred the company, there is nothing to choose.
  if (!agent && !maySetAgent) return null;
  const name = (agent ?? maySetAgent)?.logo_text ?? '';
  return (
    <SectionCard title="Your agent">
      <Stack align="start">
        <Text measure>
          {agent ? (
            <>
              {name} has been your agent here since <InstantText at={agent.since} />. It can see your company’s name and the stage of your
              refunds, but never an amount. Its HMRC authorisation is separate and isn’t affected by changes here.
            </>
          ) : (
            `${name} isn’t your agent here and can’t see anything about this company. ${maySetAgent?.consent_text ?? ''}`
          )}
        </Text>
        <Button
          variant="outlined"
          tone={agent ? 'error' : 'primary'}
          onClick={() => actionMutation.mutate(agent ? 'end' : 'set')}
          isBusy={actionMutation.isPending}
        >
          {agent ? `Remove ${name} as your agent` : `Set ${name} as your agent`}
        </Button>
        <ActionError error={actionMutation.error} />
      </Stack>
    </SectionCard>
  );
}
