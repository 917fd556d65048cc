/** One card for each of the client's taxes. */
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { apiQuery } from '../../lib/api.ts';
import { useHmrcMissing } from '../../lib/use-hmrc-missing.ts';
import { useIsAdmin } from '../../lib/use-is-admin.ts';
import { ConnectHmrcFirst } from '../../ui/connect-hmrc-first.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { inputOf, type OfClient, type TaxFigures } from './client-page.ts';
import { SUMMARIES } from './summaries.ts';
import { canRead, TaxCard } from './tax-card.tsx';
import { useClientSync } from './use-client-sync.ts';

export function TaxCards({ of, taxes }: { of: OfClient; taxes: readonly TaxFigures['tax'][] }) {
  const { sync, readAgain } = useClientSync(of);
  const missing = useHmrcMissing(of.companyId);
  const isAdmin = useIsAdmin(of.companyId);
  const reasonId = useId();
  if (taxes.length === 0) {
    return (
      <SectionCard title="No taxes">
        <Typography>Nobody has said which taxes this client has. Import the client again with its taxes to see figures.</Typography>
      </SectionCard>
    );
  }
  return (
    <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'repeat(2, minmax(0, 1fr))' } }}>
      {missing !== undefined && taxes.some(canRead) && (
        <Box sx={{ gridColumn: '1 / -1' }}>
          <ConnectHmrcFirst id={reasonId} companyId={of.companyId} missing={missing} mayConnect={isAdmin} />
        </Box>
      )}
      {taxes.map((tax) => (
        <OneTax
          key={tax}
          of={of}
          tax={tax}
          sync={sync.data?.taxes.find((one) => one.tax_type === tax)}
          readAgain={readAgain}
          whyNot={missing === undefined ? undefined : reasonId}
        />
      ))}
    </Box>
  );
}

type Sync = ReturnType<typeof useClientSync>;
type OneTaxProps = {
  of: OfClient;
  tax: TaxFigures['tax'];
  sync: NonNullable<Sync['sync']['data']>['taxes'][number] | undefined;
  readAgain: Sync['readAgain'];
  whyNot: string | undefined;
};

function OneTax({ of, tax, sync, readAgain, whyNot }: OneTaxProps) {
  const query = useQuery(apiQuery(SUMMARIES[tax], inputOf(of)));
  return (
    <LoadState query={query} skeleton={<CardSkeleton lines={6} />}>
      {({ figures, detail }) => <TaxCard {...{ tax, figures, detail, sync, readAgain, whyNot }} />}
    </LoadState>
  );
}
