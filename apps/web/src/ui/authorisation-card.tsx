/** A client's agent authorisations at HMRC, per tax: status, next step, and the link to send to the client. */
import type { AgentTax } from '@portal/domain/uk-tax/tax.ts';
import { authorisationsApi, type Authorisation } from '@portal/contract/authorisations.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { apiQuery, apiRequest } from '../lib/api.ts';
import { errorText } from '../lib/error-text.ts';
import { ApiError } from '../lib/problem-to-error.ts';
import { TAX_NAMES } from '../lib/tax-names.ts';
import { useHmrcMissing } from '../lib/use-hmrc-missing.ts';
import { useIsAdmin } from '../lib/use-is-admin.ts';
import { AuthorisationFact } from './authorisation-fact.tsx';
import { AuthorisationLink } from './authorisation-link.tsx';
import { ConnectHmrcFirst } from './connect-hmrc-first.tsx';
import { HiddenText } from './hidden-text.tsx';
import { InstantText } from './date-text.tsx';
import { LoadState } from './load-state.tsx';
import { SectionCard } from './section-card.tsx';
import { CardSkeleton } from './skeletons.tsx';
import { StateChip } from './state-chip.tsx';
import type { IconName } from './icons.tsx';
import type { Role } from '../core/tokens.ts';

type ClientIds = { readonly companyId: string; readonly clientId: string };

/** The whole card. It loads its own data. */
export function AuthorisationCard({ companyId, clientId }: ClientIds) {
  const query = useQuery(apiQuery(authorisationsApi.agentDetails, { company_id: companyId, client_id: clientId }));
  const missing = useHmrcMissing(companyId);
  const canConnect = useIsAdmin(companyId);
  const reasonId = useId();
  return (
    <SectionCard title="Authority at HMRC">
      {missing !== undefined && (
        <Box sx={{ mb: 2 }}>
          <ConnectHmrcFirst id={reasonId} {...{ companyId, missing, canConnect }} />
        </Box>
      )}
      <LoadState query={query} skeleton={<CardSkeleton lines={4} />}>
        {({ authorisations }) =>
          authorisations.length === 0 ? (
            <Typography>The client has no tax here yet.</Typography>
          ) : (
            <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
              {authorisations.map((authorisation) => (
                <Box
                  component="li"
                  key={authorisation.tax}
                  sx={{
                    py: 2,
                    '&:first-of-type': { pt: 0 },
                    '&:last-of-type': { pb: 0 },
                    '& + &': { borderTop: 1, borderColor: 'divider' },
                  }}
                >
                  <TaxRow clientIds={{ companyId, clientId }} authorisation={authorisation} />
                </Box>
              ))}
            </Box>
          )
        }
      </LoadState>
    </SectionCard>
  );
}

const STATUS_CHIPS: Readonly<Record<Authorisation['status'], { readonly label: string; readonly icon: IconName; readonly tone: Role }>> = {
  not_started: { label: 'Not asked', icon: 'info', tone: 'info' },
  link_sent: { label: 'Waits for the client', icon: 'clock', tone: 'warning' },
  authorised: { label: 'Authorised', icon: 'checkCircle', tone: 'success' },
  expiring: { label: 'Ends soon', icon: 'warning', tone: 'warning' },
  expired: { label: 'Link ran out', icon: 'warning', tone: 'warning' },
  revoked: { label: 'Ended', icon: 'errorCircle', tone: 'error' },
  suspended: { label: 'Suspended', icon: 'errorCircle', tone: 'error' },
  unsupported: { label: 'Not by software', icon: 'info', tone: 'info' },
};

type Action = Authorisation['acts'][number];
const ENDPOINTS = { send: authorisationsApi.send, cancel: authorisationsApi.cancel, check: authorisationsApi.check } as const;

function TaxRow({ clientIds, authorisation }: { clientIds: ClientIds; authorisation: Authorisation }) {
  const queries = useQueryClient();
  const [fact, setFact] = useState('');
  const runAction = useMutation({
    mutationFn: (action: Action) => {
      const extraInput = action === 'send' && authorisation.needs !== null ? { [authorisation.needs]: fact } : {};
      const tax = authorisation.tax as AgentTax;
      return apiRequest(ENDPOINTS[action], { company_id: clientIds.companyId, client_id: clientIds.clientId, tax, ...extraInput });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [authorisationsApi.agentDetails.path] }),
  });
  const chip = STATUS_CHIPS[authorisation.status];
  const name = TAX_NAMES[authorisation.tax];
  return (
    <Box aria-busy={runAction.isPending}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center', justifyContent: 'space-between', mb: 0.5 }}>
        <Typography component="h3" variant="h3">
          {name}
        </Typography>
        <StateChip {...chip} />
      </Box>
      {/* This is a live region, so that a change of status is announced. */}
      <Box role="status">
        <Typography>{authorisation.sentence}</Typography>
        {authorisation.next !== '' && <Typography sx={{ color: 'text.secondary' }}>{authorisation.next}</Typography>}
      </Box>
      {authorisation.client_action_url !== null && <AuthorisationLink url={authorisation.client_action_url} tax={name} />}
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
          <Typography role="alert" sx={{ mt: 1, color: 'error.tone', fontWeight: 500 }}>
            {errorText(runAction.error)}
          </Typography>
        )}
      <ActionButtons
        authorisation={authorisation}
        name={name}
        isBusy={runAction.isPending}
        canSend={authorisation.needs === null || fact !== ''}
        onAction={runAction.mutate}
      />
      {authorisation.checked_at !== null && (
        <Typography variant="body2" sx={{ mt: 1, color: 'text.secondary' }}>
          HMRC, <InstantText at={authorisation.checked_at} />
        </Typography>
      )}
    </Box>
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
  if (authorisation.acts.length === 0) return null;
  const labels: Readonly<Record<Action, string>> = {
    send: authorisation.status === 'not_started' ? 'Send a request' : 'Send a new request',
    check: 'Check with HMRC',
    cancel: 'Take the request back',
  };
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, mt: 1.5 }}>
      {authorisation.acts.map((action) => (
        <Button
          key={action}
          size="small"
          variant={action === 'send' ? 'contained' : action === 'check' ? 'outlined' : 'text'}
          disabled={isBusy || (action === 'send' && !canSend)}
          onClick={() => onAction(action)}
        >
          {labels[action]}
          <HiddenText> for {name}</HiddenText>
        </Button>
      ))}
    </Box>
  );
}
