/** For a client without amounts for some taxes: what is missing for each tax and the next step. Hidden once every tax has figures. */
import { authorisationsApi } from '@portal/contract/authorisations.ts';
import { getSettingsPath } from '@portal/contract/practice.ts';
import { syncApi } from '@portal/contract/sync.ts';
import { TAX_NAMES, type Tax } from '@portal/domain/uk-tax/tax.ts';
import { useQueries, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { apiQuery } from '../../lib/api.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { useIsAdmin } from '../../lib/practice-profile.ts';
import { Button } from '../../ui/button.tsx';
import { Stack } from '../../ui/layout.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { toClientInput, type ClientProfile, type ClientIds } from './client-page.ts';
import { getTabLink } from './client-tabs.ts';
import styles from './first-steps.module.css';
import { SUMMARY_ENDPOINTS } from './summaries.ts';
import { useClientSync } from './use-client-sync.ts';
import { findMissingStep, type MissingStep } from './find-missing-step.ts';

const EditClientDialog = lazy(() => import('./edit-client-dialog.tsx').then((file) => ({ default: file.EditClientDialog })));

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
  // Show nothing until everything has loaded: a step that disappears again would be misleading.
  if (!agent.data || !connections.data || summaries.some(({ data }) => data === undefined)) return null;
  const isConnected = connections.data.connections.some(({ provider, status }) => provider === 'hmrc' && status === 'connected');
  const missingSteps = client.taxes.flatMap((tax, place) => {
    const standing = summaries[place]?.data?.detail?.standing;
    const missingStep = findMissingStep({
      tax,
      hasAmounts: standing === 'read' || standing === 'insolvent',
      hasReference: client[REFERENCE_FIELDS[tax]] !== null,
      isConnected,
      authority: agent.data.authorisations.find((authorisation) => authorisation.tax === tax)?.status,
    });
    return missingStep === undefined ? [] : [missingStep];
  });
  if (missingSteps.length === 0) return null;
  return (
    <SectionCard title="Set up this client’s figures">
      <Stack as="ul" gap={0}>
        {missingSteps.map((item) => (
          <li key={item.tax} className={styles.step}>
            <div className={styles.text}>
              <strong>{TAX_NAMES[item.tax]}.</strong> {item.sentence}
            </div>
            <Step ids={ids} missing={item} />
          </li>
        ))}
      </Stack>
    </SectionCard>
  );
}

function Step({ ids, missing: { tax, step } }: { ids: ClientIds; missing: MissingStep }) {
  const isAdmin = useIsAdmin(ids.companyId);
  const { readAgain: refresh } = useClientSync(ids);
  const [isEditing, setIsEditing] = useState(false);
  const buttonProps = { size: 'small', variant: 'outlined' } as const;
  const query = { company_id: ids.companyId };
  switch (step) {
    case 'details':
      return isAdmin ? (
        <>
          <Button {...buttonProps} onClick={() => setIsEditing(true)}>
            Add it
          </Button>
          <Suspense fallback={null}>{isEditing && <EditClientDialog ids={ids} onClose={() => setIsEditing(false)} />}</Suspense>
        </>
      ) : null;
    case 'connections':
      return (
        <Button {...buttonProps} to={`${getSettingsPath('connections')}?${new URLSearchParams(query)}`}>
          Manage connections
        </Button>
      );
    case 'authority':
      return (
        <Button {...buttonProps} to={getTabLink(ids, 'authorisation')} preventScrollReset>
          Request authorisation
        </Button>
      );
    case 'read':
      return (
        <Button {...buttonProps} disabled={refresh.isPending} onClick={() => refresh.mutate(tax)}>
          Refresh {TAX_NAMES[tax]} now
        </Button>
      );
    case 'statements':
      return isAdmin ? (
        <Button {...buttonProps} to={getPageLink('taxStatements', { ...query, tax_type: tax })}>
          Import a statement
        </Button>
      ) : null;
    case 'wait':
      return null;
  }
}
