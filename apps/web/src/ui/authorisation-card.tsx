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

type Of = { readonly companyId: string; readonly clientId: string };

/** The whole card. It loads its own data. */
export function AuthorisationCard({ companyId, clientId }: Of) {
  const query = useQuery(apiQuery(authorisationsApi.agentDetails, { company_id: companyId, client_id: clientId }));
  const missing = useHmrcMissing(companyId);
  const mayConnect = useIsAdmin(companyId);
  const reasonId = useId();
  return (
    <SectionCard title="Authority at HMRC">
      {missing !== undefined && (
        <Box sx={{ mb: 2 }}>
          <ConnectHmrcFirst id={reasonId} {...{ companyId, missing, mayConnect }} />
        </Box>
      )}
      <LoadState query={query} skeleton={<CardSkeleton lines={4} />}>
        {({ authorisations }) =>
          authorisations.length === 0 ? (
            <Typography>The client has no tax here yet.</Typography>
          ) : (
            <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
              {authorisations.map((one) => (
                <Box
                  component="li"
                  key={one.tax}
                  sx={{
                    py: 2,
                    '&:first-of-type': { pt: 0 },
                    '&:last-of-type': { pb: 0 },
                    '& + &': { borderTop: 1, borderColor: 'divider' },
                  }}
                >
                  <TaxRow of={{ companyId, clientId }} one={one} />
                </Box>
              ))}
            </Box>
          )
        }
      </LoadState>
    </SectionCard>
  );
}

const LOOK: Readonly<Record<Authorisation['status'], { readonly label: string; readonly icon: IconName; readonly tone: Role }>> = {
  not_started: { label: 'Not asked', icon: 'info', tone: 'info' },
  link_sent: { label: 'Waits for the client', icon: 'clock', tone: 'warning' },
  authorised: { label: 'Authorised', icon: 'checkCircle', tone: 'success' },
  expiring: { label: 'Ends soon', icon: 'warning', tone: 'warning' },
  expired: { label: 'Link ran out', icon: 'warning', tone: 'warning' },
  revoked: { label: 'Ended', icon: 'errorCircle', tone: 'error' },
  suspended: { label: 'Suspended', icon: 'errorCircle', tone: 'error' },
  unsupported: { label: 'Not by software', icon: 'info', tone: 'info' },
};

type Act = Authorisation['acts'][number];
const CALLS = { send: authorisationsApi.send, cancel: authorisationsApi.cancel, check: authorisationsApi.check } as const;

function TaxRow({ of, one }: { of: Of; one: Authorisation }) {
  const queries = useQueryClient();
  const [fact, setFact] = useState('');
  const act = useMutation({
    mutationFn: (which: Act) => {
      const given = which === 'send' && one.needs !== null ? { [one.needs]: fact } : {};
      const tax = one.tax as AgentTax;
      return apiRequest(CALLS[which], { company_id: of.companyId, client_id: of.clientId, tax, ...given });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [authorisationsApi.agentDetails.path] }),
  });
  const look = LOOK[one.status];
  const name = TAX_NAMES[one.tax];
  return (
    <Box aria-busy={act.isPending}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center', justifyContent: 'space-between', mb: 0.5 }}>
        <Typography component="h3" variant="h3">
          {name}
        </Typography>
        <StateChip {...look} />
      </Box>
      {/* A live region, so that a change of status is announced. */}
      <Box role="status">
        <Typography>{one.sentence}</Typography>
        {one.next !== '' && <Typography sx={{ color: 'text.secondary' }}>{one.next}</Typography>}
      </Box>
      {one.client_action_url !== null && <AuthorisationLink url={one.client_action_url} tax={name} />}
      {one.needs !== null && (
        <AuthorisationFact
          id={`${one.needs}-${one.tax}`}
          needs={one.needs}
          value={fact}
          onChange={setFact}
          error={act.error instanceof ApiError ? act.error.fieldErrors[one.needs] : undefined}
        />
      )}
      {act.error !== null && !(one.needs !== null && act.error instanceof ApiError && one.needs in act.error.fieldErrors) && (
        <Typography role="alert" sx={{ mt: 1, color: 'error.tone', fontWeight: 500 }}>
          {errorText(act.error)}
        </Typography>
      )}
      <Acts one={one} name={name} isBusy={act.isPending} canSend={one.needs === null || fact !== ''} press={act.mutate} />
      {one.checked_at !== null && (
        <Typography variant="body2" sx={{ mt: 1, color: 'text.secondary' }}>
          HMRC, <InstantText at={one.checked_at} />
        </Typography>
      )}
    </Box>
  );
}

type ActsProps = { one: Authorisation; name: string; isBusy: boolean; canSend: boolean; press: (which: Act) => void };

function Acts({ one, name, isBusy, canSend, press }: ActsProps) {
  if (one.acts.length === 0) return null;
  const words: Readonly<Record<Act, string>> = {
    send: one.status === 'not_started' ? 'Send a request' : 'Send a new request',
    check: 'Check with HMRC',
    cancel: 'Take the request back',
  };
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, mt: 1.5 }}>
      {one.acts.map((which) => (
        <Button
          key={which}
          size="small"
          variant={which === 'send' ? 'contained' : which === 'check' ? 'outlined' : 'text'}
          disabled={isBusy || (which === 'send' && !canSend)}
          onClick={() => press(which)}
        >
          {words[which]}
          <HiddenText> for {name}</HiddenText>
        </Button>
      ))}
    </Box>
  );
}
