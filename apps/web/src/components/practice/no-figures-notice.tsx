/** The next step for a practice with clients but without figures. Shown on the dashboard until figures arrive. */
import { settingsPath } from '@portal/contract/practice.ts';
import { syncApi } from '@portal/contract/sync.ts';
import { AGENT_TAXES } from '@portal/domain/uk-tax/tax.ts';
import { useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { pageLink } from '../../lib/page-link.ts';
import { Button } from '../../ui/button.tsx';
import { Row } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { countFiltered } from './authorisation-counts.tsx';
import { findFiguresStep, type FiguresStep, type TaxFacts } from './find-figures-step.ts';

type NoFiguresNoticeProps = { companyId: string; isAdmin: boolean };

export function NoFiguresNotice({ companyId, isAdmin }: NoFiguresNoticeProps) {
  const connections = useQuery(apiQuery(syncApi.accountantConnections, { company_id: companyId }));
  const taxes = useQueries({ queries: AGENT_TAXES.map((tax) => apiQuery(syncApi.syncData, { company_id: companyId, tax_type: tax })) });
  if (!connections.data || taxes.some(({ data }) => data === undefined)) return null;
  const status = connections.data.connections.find(({ provider }) => provider === 'hmrc')?.status;
  const facts = taxes.flatMap(({ data }, place): TaxFacts[] => {
    const tax = AGENT_TAXES[place];
    if (!data || tax === undefined) return [];
    const [failure] = data.failures;
    return [
      {
        tax,
        clients: data.clients,
        wasRefreshed: typeof data.run?.ended_at === 'string',
        authorised: countFiltered(data.authorisations, 'authorised'),
        pending: countFiltered(data.authorisations, 'pending'),
        unauthorised: countFiltered(data.authorisations, 'missing'),
        failure: failure && `${failure.sentence} ${failure.next}`,
      },
    ];
  });
  const connection = status === 'connected' || status === 'lapsed' ? status : 'not_connected';
  const step = findFiguresStep(connection, facts);
  return (
    <Notice tone="warning" title="No amounts yet">
      So far you only see statutory deadlines. {step.text}
      <NextStep companyId={companyId} isAdmin={isAdmin} step={step} />
    </Notice>
  );
}

function NextStep({ companyId, isAdmin, step: { kind, taxes } }: NoFiguresNoticeProps & { step: FiguresStep }) {
  const queryClient = useQueryClient();
  const refresh = useMutation({
    mutationFn: async () => {
      for (const tax of taxes) await apiRequest(syncApi.start, { company_id: companyId, tax_type: tax });
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: [syncApi.refreshingClients.path] }),
  });
  const query = { company_id: companyId };
  switch (kind) {
    case 'connect':
    case 'reconnect':
      return isAdmin ? (
        <Row>
          <TextLink to={`${settingsPath('connections')}?${new URLSearchParams(query)}`}>
            {kind === 'connect' ? 'Connect HMRC' : 'Reconnect HMRC'}
          </TextLink>
        </Row>
      ) : (
        <Text>Ask an admin of your practice to {kind} HMRC.</Text>
      );
    case 'refresh':
    case 'failed':
      return (
        <Row>
          <Button size="small" variant="outlined" disabled={refresh.isPending} onClick={() => refresh.mutate()}>
            Refresh now
          </Button>
          {refresh.error !== null && (
            <Text role="alert" tone="error">
              {errorText(refresh.error)}
            </Text>
          )}
        </Row>
      );
    case 'authorise':
    case 'wait':
      return (
        <Row gap={16}>
          {taxes.map((tax) => (
            <TextLink
              key={tax}
              to={pageLink('practiceClients', {
                ...query,
                tax,
                authorisation: kind === 'authorise' ? 'missing' : 'pending',
                status: 'in_hand',
              })}
            >
              {tax === 'vat' ? 'View VAT clients' : 'View Self Assessment clients'}
            </TextLink>
          ))}
        </Row>
      );
    case 'statements':
      return isAdmin ? (
        <Row>
          <TextLink to={pageLink('taxStatements', query)}>Import statements</TextLink>
        </Row>
      ) : null;
  }
}
