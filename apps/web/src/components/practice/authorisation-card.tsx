/** A client's HMRC authorisations, by tax: status, next step, the link for the client, and whether it was emailed. */
import { AUTHORISATION_LABELS } from '@portal/domain/authorisations/describe-authorisation.ts';
import { type AgentTax, TAX_NAMES } from '@portal/domain/uk-tax/tax.ts';
import { authorisationsApi, type Authorisation } from '@portal/contract/authorisations.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { useIsAdmin } from '../../lib/practice-profile.ts';
import { ApiError } from '../../lib/problem-to-error.ts';
import { useHmrcConnectionProblem } from '../../lib/use-hmrc-missing.ts';
import { AuthorisationFact } from './authorisation-fact.tsx';
import styles from './authorisation-card.module.css';
import { AuthorisationLink } from './authorisation-link.tsx';
import { Button } from '../../ui/button.tsx';
import { ConnectHmrcFirst } from './connect-hmrc-first.tsx';
import { EmailRequestButton } from './email-request-button.tsx';
import { EmailsClientsChoice } from './emails-clients-choice.tsx';
import { isUnderWay, RequestEmailStatus } from './request-email-status.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { InstantText } from '../formats/date-text.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Heading, Text } from '../../ui/text.tsx';
import type { IconName } from '../../ui/icon.tsx';
import type { Role } from '../../core/tokens.ts';

const POLL_MS = 2_000;

type ClientIds = { readonly companyId: string; readonly clientId: string };

/** The whole card, which loads its own data. */
export function AuthorisationCard({ companyId, clientId }: ClientIds) {
  const query = useQuery({
    ...apiQuery(authorisationsApi.agentDetails, { company_id: companyId, client_id: clientId }),
    refetchInterval: ({ state }) => (state.data?.authorisations.some(({ email }) => isUnderWay(email)) === true ? POLL_MS : false),
  });
  const hmrcProblem = useHmrcConnectionProblem(companyId);
  const canConnect = useIsAdmin(companyId);
  const reasonId = useId();
  return (
    <SectionCard title="HMRC authorisation">
      <Stack>
        {hmrcProblem !== undefined && <ConnectHmrcFirst id={reasonId} {...{ companyId, missing: hmrcProblem, canConnect }} />}
        <LoadState query={query} skeleton={<CardSkeleton lines={4} />}>
          {({ authorisations, emails_clients: emailsClients }) =>
            authorisations.length === 0 ? (
              <Text>This client has no taxes yet.</Text>
            ) : (
              <Stack as="ul" gap={0}>
                {authorisations.map((authorisation) => (
                  <li key={authorisation.tax} className={styles.tax}>
                    <TaxRow
                      clientIds={{ companyId, clientId }}
                      authorisation={authorisation}
                      emailsClients={emailsClients}
                      isAdmin={canConnect}
                    />
                  </li>
                ))}
              </Stack>
            )
          }
        </LoadState>
      </Stack>
    </SectionCard>
  );
}

const STATUS_CHIPS: Readonly<Record<Authorisation['status'], { readonly icon: IconName; readonly tone: Role }>> = {
  not_checked: { icon: 'help', tone: 'info' },
  not_started: { icon: 'lock', tone: 'warning' },
  link_sent: { icon: 'clock', tone: 'warning' },
  authorised: { icon: 'checkCircle', tone: 'success' },
  expiring: { icon: 'warning', tone: 'warning' },
  expired: { icon: 'warning', tone: 'warning' },
  revoked: { icon: 'errorCircle', tone: 'error' },
  suspended: { icon: 'errorCircle', tone: 'error' },
  unsupported: { icon: 'info', tone: 'info' },
};

type Action = Authorisation['acts'][number];
const ENDPOINTS = { send: authorisationsApi.send, cancel: authorisationsApi.cancel, check: authorisationsApi.check } as const;

type TaxRowProps = {
  clientIds: ClientIds;
  authorisation: Authorisation;
  /** The practice's saved choice. */
  emailsClients: boolean;
  isAdmin: boolean;
};

function TaxRow({ clientIds, authorisation, emailsClients, isAdmin }: TaxRowProps) {
  const queryClient = useQueryClient();
  const [fact, setFact] = useState('');
  const [isEmailingChosen, setIsEmailingChosen] = useState<boolean>();
  const isEmailed = isEmailingChosen ?? emailsClients;
  const runAction = useMutation({
    mutationFn: (action: Action) => {
      const ownFact = authorisation.needs !== null ? { [authorisation.needs]: fact } : {};
      const extraInput = action === 'send' ? { ...ownFact, emails_client: isEmailed } : {};
      const tax = authorisation.tax as AgentTax;
      return apiRequest(ENDPOINTS[action], { company_id: clientIds.companyId, client_id: clientIds.clientId, tax, ...extraInput });
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: [authorisationsApi.agentDetails.path] }),
  });
  const chip = STATUS_CHIPS[authorisation.status];
  const name = TAX_NAMES[authorisation.tax];
  return (
    <Stack gap={12} aria-busy={runAction.isPending}>
      <Row gap={8} justify="between">
        <Heading level={3}>{name}</Heading>
        <StateChip {...chip} label={AUTHORISATION_LABELS[authorisation.status]} />
      </Row>
      {/* A live region, so that screen readers announce a change of status. */}
      <div role="status">
        <Text>{authorisation.sentence}</Text>
        {authorisation.next !== '' && <Text tone="quiet">{authorisation.next}</Text>}
      </div>
      {authorisation.client_action_url !== null && <AuthorisationLink url={authorisation.client_action_url} tax={name} />}
      {authorisation.status === 'link_sent' && <RequestEmailStatus email={authorisation.email} />}
      {authorisation.needs !== null && (
        <AuthorisationFact
          id={`${authorisation.needs}-${authorisation.tax}`}
          needs={authorisation.needs}
          value={fact}
          onChange={setFact}
          error={runAction.error instanceof ApiError ? runAction.error.fieldErrors[authorisation.needs] : undefined}
        />
      )}
      {runAction.error !== null &&
        !(authorisation.needs !== null && runAction.error instanceof ApiError && authorisation.needs in runAction.error.fieldErrors) && (
          <Text role="alert" weight="medium" tone="error">
            {getErrorText(runAction.error)}
          </Text>
        )}
      {authorisation.acts.includes('send') && (
        <EmailsClientsChoice checked={isEmailed} canChange={isAdmin} onChange={setIsEmailingChosen} />
      )}
      <Row gap={8}>
        {authorisation.client_action_url !== null && (
          <EmailRequestButton {...clientIds} tax={authorisation.tax as AgentTax} email={authorisation.email} what={`for ${name}`} />
        )}
        <ActionButtons
          authorisation={authorisation}
          name={name}
          isBusy={runAction.isPending}
          canSend={authorisation.needs === null || fact !== ''}
          onAction={runAction.mutate}
        />
      </Row>
      {authorisation.checked_at !== null && (
        <Text size="small" tone="quiet">
          Checked with HMRC: <InstantText at={authorisation.checked_at} />
        </Text>
      )}
    </Stack>
  );
}

type ActionButtonsProps = {
  authorisation: Authorisation;
  name: string;
  isBusy: boolean;
  canSend: boolean;
  onAction: (action: Action) => void;
};

function ActionButtons({ authorisation, name, isBusy, canSend, onAction }: ActionButtonsProps) {
  const labels: Readonly<Record<Action, string>> = {
    send: authorisation.status === 'not_started' || authorisation.status === 'not_checked' ? 'Create request' : 'Create new request',
    check: 'Check with HMRC',
    cancel: 'Cancel request',
  };
  return authorisation.acts.map((action) => (
    <Button
      key={action}
      size="small"
      variant={action === 'cancel' ? 'text' : 'outlined'}
      disabled={isBusy || (action === 'send' && !canSend)}
      onClick={() => onAction(action)}
    >
      {labels[action]} <HiddenText>for {name}</HiddenText>
    </Button>
  ));
}
