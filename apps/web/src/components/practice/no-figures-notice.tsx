/** The next step for a practice with clients but without figures. Shown on the dashboard until figures arrive. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { getSettingsPath } from '@portal/contract/practice.ts';
import { syncStatusEndpoints } from '@portal/contract/sync-status.ts';
import type { AgentTax } from '@portal/domain/uk-tax/tax.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { PRELOADS_ACTION, sendRefreshAction } from '../../lib/refresh-action.ts';
import { Button } from '../../ui/button.tsx';
import { Row } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { countFiltered } from './authorisation-counts.tsx';
import { findFiguresStep, type FiguresStep, type TaxFacts } from './find-figures-step.ts';

type NoFiguresNoticeProps = { companyId: string; isAdmin: boolean };

export function NoFiguresNotice({ companyId, isAdmin }: NoFiguresNoticeProps) {
  const connections = useQuery(apiQuery(syncStatusEndpoints.accountantConnections, { company_id: companyId }));
  // One query for each of AGENT_TAXES: `useQueries` would add 1.5 kB.
  const vat = useQuery(apiQuery(syncStatusEndpoints.syncData, { company_id: companyId, tax_type: 'vat' }));
  const sa = useQuery(apiQuery(syncStatusEndpoints.syncData, { company_id: companyId, tax_type: 'sa' }));
  if (!connections.data || !vat.data || !sa.data) return null;
  const status = connections.data.connections.find(({ provider }) => provider === 'hmrc')?.status;
  const connection = status === 'connected' || status === 'lapsed' ? status : 'not_connected';
  const step = findFiguresStep(connection, [toFacts('vat', vat.data), toFacts('sa', sa.data)]);
  return (
    <Notice tone="warning" title="No amounts yet">
      So far, you can only see statutory deadlines. {step.text}
      <NextStep companyId={companyId} isAdmin={isAdmin} step={step} />
    </Notice>
  );
}

function toFacts(tax: AgentTax, data: EndpointOutput<typeof syncStatusEndpoints.syncData>): TaxFacts {
  const [failure] = data.failures;
  return {
    tax,
    clients: data.clients,
    wasRefreshed: typeof data.run?.ended_at === 'string',
    authorised: countFiltered(data.authorisations, 'authorised'),
    pending: countFiltered(data.authorisations, 'pending'),
    unauthorised: countFiltered(data.authorisations, 'missing'),
    failure: failure && `${failure.sentence} ${failure.next}`,
  };
}

function NextStep({ companyId, isAdmin, step: { kind, taxes } }: NoFiguresNoticeProps & { step: FiguresStep }) {
  const queryClient = useQueryClient();
  const refresh = useMutation({
    mutationFn: async () => {
      for (const tax of taxes) await sendRefreshAction('start', companyId, tax);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: [syncStatusEndpoints.refreshingClients.path] }),
  });
  const query = { company_id: companyId };
  switch (kind) {
    case 'connect':
    case 'reconnect':
      return isAdmin ? (
        <Row>
          <TextLink to={`${getSettingsPath('connections')}?${new URLSearchParams(query)}`}>
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
          <Button size="small" variant="outlined" disabled={refresh.isPending} {...PRELOADS_ACTION} onClick={() => refresh.mutate()}>
            Refresh now
          </Button>
          {refresh.error !== null && (
            <Text role="alert" tone="error">
              {getErrorText(refresh.error)}
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
              to={getPageLink('practiceClients', {
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
          <TextLink to={getPageLink('taxStatements', query)}>Import statements</TextLink>
        </Row>
      ) : null;
  }
}
