/** For a client without amounts for some taxes: what is missing for each tax and the next step. Hidden once every tax has figures. */
import { authorisationsApi } from '@portal/contract/authorisations.ts';
import { settingsPath } from '@portal/contract/practice.ts';
import { syncApi } from '@portal/contract/sync.ts';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { apiQuery } from '../../lib/api.ts';
import { pageLink } from '../../lib/page-link.ts';
import { TAX_NAMES } from '../../lib/tax-names.ts';
import { useIsAdmin } from '../../lib/use-is-admin.ts';
import { SectionCard } from '../../ui/section-card.tsx';
import { toClientInput, type ClientProfile, type ClientIds } from './client-page.ts';
import { EditClientDialog } from './edit-client-dialog.tsx';
import { SUMMARY_ENDPOINTS } from './summaries.ts';
import { useClientSync } from './use-client-sync.ts';
import { findMissingStep, type MissingStep } from './find-missing-step.ts';

const REFERENCE_FIELDS: Readonly<Record<Tax, 'vrn' | 'nino' | 'paye_reference' | 'utr'>> = {
  vat: 'vrn',
  sa: 'nino',
  paye: 'paye_reference',
  ct: 'utr',
};

export function FirstSteps({ ids, client }: { ids: ClientIds; client: ClientProfile }) {
  const summaries = useQueries({ queries: client.taxes.map((tax) => apiQuery(SUMMARY_ENDPOINTS[tax], toClientInput(ids))) });
  const agent = useQuery(apiQuery(authorisationsApi.agentDetails, toClientInput(ids)));
  const connections = useQuery(apiQuery(syncApi.accountantConnections, { company_id: ids.companyId }));
  // Show nothing until everything has loaded: a step that disappears again would mislead.
  if (!agent.data || !connections.data || summaries.some(({ data }) => data === undefined)) return null;
  const isConnected = connections.data.connections.some(({ provider, status }) => provider === 'hmrc' && status === 'connected');
  const missing = client.taxes.flatMap((tax, place) => {
    const standing = summaries[place]?.data?.detail?.standing;
    const said = findMissingStep({
      tax,
      hasAmounts: standing === 'read' || standing === 'insolvent',
      hasReference: client[REFERENCE_FIELDS[tax]] !== null,
      isConnected,
      authority: agent.data.authorisations.find((one) => one.tax === tax)?.status,
    });
    return said === undefined ? [] : [said];
  });
  if (missing.length === 0) return null;
  return (
    <SectionCard title="What is missing for the figures">
      <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
        {missing.map((one) => (
          <Box
            component="li"
            key={one.tax}
            sx={{
              display: 'flex',
              flexWrap: 'wrap',
              gap: 1,
              py: 1.25,
              alignItems: 'center',
              justifyContent: 'space-between',
              '& + &': { borderTop: 1, borderColor: 'divider' },
            }}
          >
            <Box sx={{ flex: '1 1 280px' }}>
              <Box component="span" sx={{ fontWeight: 600 }}>
                {TAX_NAMES[one.tax]}.
              </Box>{' '}
              {one.sentence}
            </Box>
            <Step ids={ids} missing={one} />
          </Box>
        ))}
      </Box>
    </SectionCard>
  );
}

function Step({ ids, missing: { tax, step } }: { ids: ClientIds; missing: MissingStep }) {
  const isAdmin = useIsAdmin(ids.companyId);
  const { readAgain: refresh } = useClientSync(ids);
  const [isEditing, setIsEditing] = useState(false);
  const look = { size: 'small', variant: 'outlined' } as const;
  const query = { company_id: ids.companyId };
  switch (step) {
    case 'details':
      return isAdmin ? (
        <>
          <Button {...look} onClick={() => setIsEditing(true)}>
            Write it down
          </Button>
          {isEditing && <EditClientDialog ids={ids} onClose={() => setIsEditing(false)} />}
        </>
      ) : null;
    case 'connections':
      return (
        <Button {...look} component={Link} to={`${settingsPath('connections')}?${new URLSearchParams(query)}`}>
          See the connections
        </Button>
      );
    case 'authority':
      return (
        <Button {...look} component="a" href="#authority">
          Ask for authority
        </Button>
      );
    case 'read':
      return (
        <Button {...look} disabled={refresh.isPending} onClick={() => refresh.mutate(tax)}>
          Read {TAX_NAMES[tax]} now
        </Button>
      );
    case 'statements':
      return isAdmin ? (
        <Button {...look} component={Link} to={pageLink('taxStatements', { ...query, tax_type: tax })}>
          Import a statement
        </Button>
      ) : null;
    case 'wait':
      return null;
  }
}
