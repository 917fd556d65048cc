/**
 * Reconciliation exceptions: payments that don't match an advance, and money that is missing or owed. Each is opened and resolved
 * separately.
 */
import { EXCEPTION_KINDS, reconciliationExceptionsApi } from '@portal/contract/reconciliation-exceptions.ts';
import { formatCurrency } from '@portal/domain/money.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '../../lib/api.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { useUrlFilters } from '../../lib/use-url-filters.ts';
import { Button } from '../../ui/button.tsx';
import { FilterPill } from '../../ui/filter-pill.tsx';
import { InstantText } from '../../components/formats/date-text.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { MoneyText } from '../../components/formats/money-text.tsx';
import { Pager } from '../../ui/pager.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { LineSkeleton } from '../../ui/skeletons.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { ExceptionDialog } from './exception-dialog.tsx';
import { EXCEPTION_CHIPS, describeException, type ReconciliationException } from './exception-labels.ts';
import styles from './exceptions-card.module.css';

const REFRESH_MS = 15_000;

export function ExceptionsCard() {
  const { filters, change, page } = useUrlFilters(['kind']);
  const kind = EXCEPTION_KINDS.find((item) => item === filters.kind);
  const query = useQuery({
    ...apiQuery(reconciliationExceptionsApi.list, { page, ...(kind === undefined ? {} : { kind }) }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
  const { counts } = query.data ?? {};
  const totalCount = counts ? Object.values(counts).reduce((sum, count) => sum + count, 0) : 0;
  return (
    <SectionCard
      title={totalCount === 0 ? 'Reconciliation exceptions' : `Reconciliation exceptions (${totalCount.toLocaleString('en-GB')})`}
      aside={
        <FilterPill
          label="Kind"
          value={kind}
          options={EXCEPTION_KINDS.map((value) => ({
            value,
            label: `${EXCEPTION_CHIPS[value].label}${counts ? ` (${counts[value].toLocaleString('en-GB')})` : ''}`,
          }))}
          onSelect={(value) => change({ kind: value })}
        />
      }
    >
      <LoadState query={query} skeleton={<LineSkeleton width="60%" height={24} />}>
        {({ matters, count, pages }) => (
          <Stack>
            <ExceptionList matters={matters} isFiltered={kind !== undefined} />
            {pages > 1 && (
              <Pager page={page} pages={pages} count={count} noun="exceptions" onPage={(next) => change({ page: String(next) })} />
            )}
          </Stack>
        )}
      </LoadState>
    </SectionCard>
  );
}

function ExceptionList({ matters, isFiltered }: { matters: readonly ReconciliationException[]; isFiltered: boolean }) {
  const [openedExceptionId, setOpened] = useState<string>();
  return (
    <>
      {matters.length === 0 ? (
        <Text>
          {isFiltered
            ? 'No exceptions of this kind.'
            : 'No exceptions. All payments to and from us are matched, no repayments are late or short, and we don’t owe traders anything.'}
        </Text>
      ) : (
        <Stack as="ul" gap={0} aria-label="Reconciliation exceptions">
          {matters.map((exception) => (
            <ExceptionRow key={exception.subject_id} exception={exception} open={() => setOpened(exception.subject_id)} />
          ))}
        </Stack>
      )}
      <ExceptionDialog
        exception={matters.find(({ subject_id }) => subject_id === openedExceptionId)}
        onClose={() => setOpened(undefined)}
      />
    </>
  );
}

function ExceptionRow({ exception, open }: { exception: ReconciliationException; open: () => void }) {
  const notes = exception.notes.length;
  return (
    <li className={styles.row}>
      <div className={styles.text}>
        <Row gap={12}>
          <CompanyName exception={exception} />
          <StateChip {...EXCEPTION_CHIPS[exception.kind]} />
          {exception.awaits_approval && <StateChip label="Waiting for approval" icon="clock" tone="info" />}
        </Row>
        <Text size="small" className={styles.description}>
          {describeException(exception)}
        </Text>
        <Text size="small" tone="quiet">
          Since <InstantText at={exception.since} />
          {notes > 0 && ` · ${notes} ${notes === 1 ? 'note' : 'notes'}`}
        </Text>
      </div>
      {exception.currency === 'GBP' ? (
        <MoneyText pence={exception.amount_pence} size="table" />
      ) : (
        <Text numeric>{formatCurrency(exception.amount_pence, exception.currency)}</Text>
      )}
      <Button variant="outlined" size="small" onClick={open}>
        {['shortfall', 'overdue', 'direct_debit_payout'].includes(exception.kind) ? 'View' : 'Resolve'}
        <HiddenText> exception for {exception.company_name}</HiddenText>
      </Button>
    </li>
  );
}

/** An exception about an advance links to the advance's page. A credit, a surplus or a GoCardless payout doesn't belong to one advance. */
function CompanyName({ exception }: { exception: ReconciliationException }) {
  const isAboutAdvance = exception.kind === 'shortfall' || exception.kind === 'overdue';
  const advanceId = isAboutAdvance ? exception.subject_id : exception.advance_id;
  if (advanceId === null)
    return (
      <Text as="strong" weight="bold">
        {exception.company_name}
      </Text>
    );
  return (
    <TextLink to={getPageLink('adminAdvance', { company_id: exception.company_id, advance_id: advanceId })} className={styles.company}>
      {exception.company_name}
    </TextLink>
  );
}
