/** A card for each of the client's taxes. */
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { apiQuery } from '../../lib/api.ts';
import { useIsAdmin } from '../../lib/practice-profile.ts';
import { useHmrcConnectionProblem } from '../../lib/use-hmrc-missing.ts';
import { ConnectHmrcFirst } from '../../components/practice/connect-hmrc-first.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { Text } from '../../ui/text.tsx';
import { toClientInput, type ClientIds, type PositionDetail, type TaxFigures } from './client-page.ts';
import { getChargesId, getTabLink, TAX_CARDS_ID } from './client-tabs.ts';
import { SUMMARY_ENDPOINTS } from './summaries.ts';
import { canRefresh, TaxCard } from './tax-card.tsx';
import styles from './tax-cards.module.css';
import { useClientSync } from './use-client-sync.ts';
import { useOpenedByHash } from './use-opened-by-hash.ts';

type TaxCardsProps = {
  ids: ClientIds;
  taxes: readonly TaxFigures['tax'][];
  /** Whether the figures link to their tax's section. If not, they link to its charges further down the page. */
  opensTabs?: boolean;
};

export function TaxCards({ ids, taxes, opensTabs = false }: TaxCardsProps) {
  const { sync, readAgain: refresh } = useClientSync(ids);
  const hmrcProblem = useHmrcConnectionProblem(ids.companyId);
  const isAdmin = useIsAdmin(ids.companyId);
  const reasonId = useId();
  const cards = useOpenedByHash<HTMLDivElement>(TAX_CARDS_ID, true);
  if (taxes.length === 0) {
    return (
      <SectionCard title="No taxes chosen">
        <Text>Edit the client’s details to choose its taxes. Then you’ll see its figures here.</Text>
      </SectionCard>
    );
  }
  return (
    <div ref={cards} id={TAX_CARDS_ID} className={styles.cards}>
      {hmrcProblem !== undefined && taxes.some(canRefresh) && (
        <div className={styles.reason}>
          <ConnectHmrcFirst id={reasonId} companyId={ids.companyId} missing={hmrcProblem} canConnect={isAdmin} />
        </div>
      )}
      {taxes.map((tax) => (
        <TaxSection
          key={tax}
          ids={ids}
          tax={tax}
          opensTab={opensTabs}
          sync={sync.data?.taxes.find((item) => item.tax_type === tax)}
          refresh={refresh}
          disabledReasonId={hmrcProblem === undefined ? undefined : reasonId}
        />
      ))}
    </div>
  );
}

type ClientSync = ReturnType<typeof useClientSync>;
type TaxSectionProps = {
  ids: ClientIds;
  tax: TaxFigures['tax'];
  opensTab: boolean;
  sync: NonNullable<ClientSync['sync']['data']>['taxes'][number] | undefined;
  refresh: ClientSync['readAgain'];
  disabledReasonId: string | undefined;
};

function TaxSection({ ids, tax, opensTab, sync, refresh, disabledReasonId }: TaxSectionProps) {
  const query = useQuery(apiQuery(SUMMARY_ENDPOINTS[tax], toClientInput(ids)));
  const getRowsLink = (detail: PositionDetail | null): string | undefined => {
    if (opensTab) return getTabLink(ids, tax);
    return detail === null || detail.charges.length === 0 ? undefined : `${getTabLink(ids, tax)}#${getChargesId(tax)}`;
  };
  return (
    <LoadState query={query} skeleton={<CardSkeleton lines={6} />}>
      {({ figures, detail }) => <TaxCard {...{ tax, rowsLink: getRowsLink(detail), figures, detail, sync, refresh, disabledReasonId }} />}
    </LoadState>
  );
}
