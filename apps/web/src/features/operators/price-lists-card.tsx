/** The published price lists, newest first. They never change. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { operatorPricingApi } from '@portal/contract/operator-pricing.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { TierTable } from '../../components/pricing/tier-table.tsx';
import { Stack } from '../../ui/layout.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Heading, Text } from '../../ui/text.tsx';

export type PriceLists = EndpointOutput<typeof operatorPricingApi.lists>;

export const MODE_LABELS = {
  volume: 'Volume: all connections at the price of the tier reached',
  graduated: 'Graduated: each connection at the price of its own tier',
} as const;

export function PriceListsCard({ data: { lists, today } }: { data: PriceLists }) {
  return (
    <SectionCard title="Published">
      {lists.length === 0 ? (
        <Text>No price list yet. Until one takes effect, practices see that prices aren’t published yet, and they can’t subscribe.</Text>
      ) : (
        <Stack gap={32} as="ul">
          {lists.map((list) => (
            <li key={list.version}>
              <Stack gap={8}>
                <Heading level={3}>Version {list.version}</Heading>
                {list.is_current && (
                  <div>
                    <StateChip label="For new customers now" icon="checkCircle" tone="success" />
                  </div>
                )}
                {list.effective_from > today && (
                  <div>
                    <StateChip label={`Scheduled for ${formatDate(list.effective_from)}`} icon="clock" tone="info" />
                  </div>
                )}
                <Text size="small" tone="quiet">
                  Published {formatDate(list.published_on)}. New customers from {formatDate(list.effective_from)}.{' '}
                  {list.subscribers === 0
                    ? 'No practices are on it.'
                    : `${list.subscribers.toLocaleString('en-GB')} ${list.subscribers === 1 ? 'practice is' : 'practices are'} on it, paying ${formatPounds(list.monthly_net_pence)} a month excluding VAT.`}{' '}
                  {MODE_LABELS[list.mode]}.
                </Text>
                <TierTable label={`Tiers of version ${list.version}`} tiers={list.tiers.map(renameTierFields)} />
              </Stack>
            </li>
          ))}
        </Stack>
      )}
    </SectionCard>
  );
}

function renameTierFields({ base_pence: basePence, unit_price_pence: unitPence, ...tier }: PriceLists['lists'][number]['tiers'][number]) {
  return { ...tier, basePence, unitPence };
}
