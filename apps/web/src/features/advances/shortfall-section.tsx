/** Shows how much of a refund has arrived, what is missing and why, and how to pay it. Renders nothing while the refund is on track. */
import { shortfallsApi, type ShortfallOutput } from '@portal/contract/shortfalls.ts';
import { NeedsRight } from '../../components/companies/needs-right.tsx';
import { formatPounds } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { InstantText } from '../../components/formats/date-text.tsx';
import { DirectDebitTable } from '../../components/shortfalls/direct-debit-table.tsx';
import { InstalmentTable } from '../../components/shortfalls/instalment-table.tsx';
import { SHORTFALL_CHIPS } from '../../components/shortfalls/shortfall-labels.ts';
import { ShortfallHistory } from '../../components/shortfalls/shortfall-history.tsx';
import { KeyFigure } from '../../ui/key-figure.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import type { AdvancePartProps } from './advance-part.ts';
import { DetailList } from './detail-list.tsx';
import { LateRefund } from './late-refund.tsx';
import { PayShortfallCard } from './pay-shortfall-card.tsx';

/** States in which we have paid out, including those in which we have been repaid. */
const PAID_STATES: ReadonlySet<AdvancePartProps['advance']['state']> = new Set([
  'paid',
  'awaiting_hmrc',
  'shortfall',
  'collecting',
  'settled',
  'written_off',
]);
const REFRESH_MS = 15_000;

export function ShortfallSection({ advance, companyId }: AdvancePartProps) {
  const query = useQuery({
    ...apiQuery(shortfallsApi.find, { company_id: companyId, advance_id: advance.advance_id }),
    enabled: PAID_STATES.has(advance.state),
    refetchInterval: REFRESH_MS,
  });
  const shortfall = query.data?.shortfall;
  if (!shortfall) return null;
  return (
    <>
      <AmountsCard shortfall={shortfall} companyId={companyId} />
      {(shortfall.owed_pence > 0 || shortfall.cause === 'mandate_failed') && (
        <NeedsRight companyId={companyId} access="company.accept_advance" to="agree how the shortfall is paid">
          <PayShortfallCard shortfall={shortfall} companyId={companyId} />
        </NeedsRight>
      )}
      {shortfall.instalments.length > 0 && (
        <SectionCard title="Your instalments">
          <InstalmentTable instalments={shortfall.instalments} />
        </SectionCard>
      )}
      {shortfall.direct_debits.length > 0 && (
        <SectionCard title="Direct Debits">
          <DirectDebitTable directDebits={shortfall.direct_debits} />
        </SectionCard>
      )}
      {shortfall.letters.length > 0 && <LettersCard shortfall={shortfall} companyId={companyId} />}
      {/* A single event is the cause above. */}
      {shortfall.events.length > 1 && <ShortfallHistory events={shortfall.events} />}
    </>
  );
}

function AmountsCard({ shortfall, companyId }: { shortfall: ShortfallOutput; companyId: string }) {
  const isOwing = shortfall.owed_pence > 0;
  const isDisputed = shortfall.status === 'disputed';
  const suspectedAmount = shortfall.suspected_pence;
  const isLate = shortfall.status === 'watching' && shortfall.cause === 'late';
  return (
    <SectionCard
      title="What HMRC repaid"
      aside={<StateChip {...SHORTFALL_CHIPS[shortfall.status]} {...(isLate ? { label: 'Late' } : {})} />}
    >
      <Stack>
        {isOwing ? (
          <KeyFigure
            figure={formatPounds(shortfall.owed_pence)}
            label={isDisputed ? 'You dispute this amount' : 'You owe us'}
            details={shortfall.due_on === null || isDisputed ? undefined : `Due by ${formatDate(shortfall.due_on)}`}
            tone={isDisputed ? undefined : 'error'}
          />
        ) : (
          <Text weight="medium">You don’t owe us anything{shortfall.status === 'watching' ? ' at the moment' : ''}.</Text>
        )}
        <DetailList
          details={[
            { name: 'Refund we bought', value: formatPounds(shortfall.refund_pence) },
            { name: 'Paid so far', value: formatPounds(shortfall.received_pence) },
            ...(suspectedAmount > 0 ? [{ name: 'Possible shortfall', value: formatPounds(suspectedAmount), strong: true }] : []),
            ...(isOwing ? [{ name: 'Still outstanding', value: formatPounds(shortfall.owed_pence), strong: true }] : []),
          ]}
        />
        <Text measure>{shortfall.cause_text}</Text>
        {isLate && <LateRefund companyId={companyId} />}
        {shortfall.dispute && isDisputed && (
          <Notice tone="info" title="We’re looking into your dispute">
            We received it on <InstantText at={shortfall.dispute.at} />. We won’t collect anything until we’ve replied.
          </Notice>
        )}
      </Stack>
    </SectionCard>
  );
}

function LettersCard({ shortfall, companyId }: { shortfall: ShortfallOutput; companyId: string }) {
  return (
    <SectionCard title="Letters">
      <Stack as="ul" gap={8}>
        {shortfall.letters.map((letter) => (
          <li key={letter.letter_id}>
            <TextLink to={getPageLink('shortfallLetter', { company_id: companyId, letter_id: letter.letter_id })}>
              {letter.heading}
            </TextLink>
            <Text size="small" tone="quiet">
              <InstantText at={letter.at} />
            </Text>
          </li>
        ))}
      </Stack>
    </SectionCard>
  );
}
