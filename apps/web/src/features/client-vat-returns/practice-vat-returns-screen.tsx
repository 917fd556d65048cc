/** VAT returns of all clients that the user can see, by stage. Each number links to its rows. */
import { returnApprovalsApi, type StagedReturn } from '@portal/contract/return-approvals.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { RETURN_STAGES, type ReturnStage } from '@portal/domain/vat-returns/return-approval.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { DateText, InstantText } from '../../components/formats/date-text.tsx';
import { PracticePage } from '../../components/practice/practice-page.tsx';
import { apiQuery } from '../../lib/api.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { periodText } from '../../lib/period-text.ts';
import { useSearchParams } from '../../lib/search-params.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { RecordTable } from '../../ui/record-table.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { TableSkeleton } from '../../ui/skeletons.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { STAGE_LABELS } from './stage-labels.ts';
import { StageTabs } from './stage-tabs.tsx';

const EMPTY_MESSAGES: Readonly<Record<ReturnStage, string>> = {
  to_prepare: 'No returns to prepare. Returns appear here the day after their period ends, once we’ve got them from HMRC.',
  sent: 'No returns are waiting for a client’s approval.',
  queried: 'No questions from clients.',
  approved: 'No approved returns to file.',
  filed: 'Nothing filed in the last 90 days.',
};

type Output = EndpointOutput<typeof returnApprovalsApi.stages>;

export function PracticeVatReturnsScreen() {
  const { companyId } = useCompanyId();
  const [search, setSearch] = useSearchParams();
  const stage = RETURN_STAGES.find((name) => name === search.get('stage')) ?? 'to_prepare';
  const offset = Math.max(0, Number.parseInt(search.get('offset') ?? '0', 10) || 0);
  const query = useQuery({
    ...apiQuery(returnApprovalsApi.stages, { company_id: companyId, stage, offset }),
    enabled: companyId !== '',
    placeholderData: keepPreviousData,
  });
  const goToOffset = (next: number): void => {
    const params = new URLSearchParams(search);
    if (next === 0) params.delete('offset');
    else params.set('offset', String(next));
    setSearch(params);
  };
  return (
    <PracticePage
      title="VAT returns"
      actions={
        <Button variant="outlined" to={getPageLink('practiceBooks', { company_id: companyId })}>
          Clients’ books
        </Button>
      }
      lead="Returns to prepare, returns waiting for client approval, and returns already filed."
    >
      <LoadState query={query} skeleton={<TableSkeleton rows={8} />}>
        {(output) => (
          <Stack gap={16}>
            <StageTabs companyId={companyId} counts={output.counts} current={stage} />
            <SectionCard title={STAGE_LABELS[stage]}>
              <Stack gap={16} aria-busy={query.isPlaceholderData}>
                <Returns output={output} stage={stage} companyId={companyId} />
                {(offset > 0 || output.next_offset !== null) && (
                  <ButtonRow>
                    <Button variant="outlined" size="small" disabled={offset === 0} onClick={() => goToOffset(Math.max(0, offset - 50))}>
                      Previous 50
                    </Button>
                    <Button
                      variant="outlined"
                      size="small"
                      disabled={output.next_offset === null}
                      onClick={() => goToOffset(output.next_offset ?? 0)}
                    >
                      Next 50
                    </Button>
                  </ButtonRow>
                )}
              </Stack>
            </SectionCard>
          </Stack>
        )}
      </LoadState>
    </PracticePage>
  );
}

function Returns({ output, stage, companyId }: { output: Output; stage: ReturnStage; companyId: string }) {
  if (output.returns.length === 0) return <Text tone="quiet">{EMPTY_MESSAGES[stage]}</Text>;
  const isSent = stage !== 'to_prepare';
  return (
    <RecordTable
      label={STAGE_LABELS[stage]}
      rows={output.returns}
      getKey={(row) => `${row.client_id} ${row.period_end} ${row.obligation_id ?? ''}`}
      columns={[
        { title: 'Client', cell: (row) => <TextLink to={getLink(row, companyId)}>{row.client}</TextLink> },
        { title: 'Period', cell: getPeriod },
        { title: 'Due', cell: (row) => <Due row={row} /> },
        isSent && { title: 'Box 5', layout: 'numeric', cell: getResult },
        isSent && {
          title: stage === 'filed' ? 'Filed' : stage === 'approved' ? 'Approved' : 'Sent',
          cell: ({ since }) => since && <InstantText at={since} />,
        },
      ]}
    />
  );
}

/** A return without figures links to the client's VAT section, where books can be uploaded. */
function getLink({ client_id, obligation_id }: StagedReturn, companyId: string): string {
  return obligation_id === null
    ? getPageLink('clientDashboard', { company_id: companyId, client_id, tab: 'vat' })
    : getPageLink('clientVatReturn', { company_id: companyId, client_id, obligation_id });
}

const getPeriod = ({ period_start: start, period_end: end }: StagedReturn) =>
  start === null ? <DateText date={end} /> : periodText(start, end, 'short');

function getResult({ box5_pence: box5, direction }: StagedReturn): string | null {
  if (box5 === null || direction === null) return null;
  return direction === 'repayment' ? `Refund ${formatPounds(box5)}` : formatPounds(box5);
}

function Due({ row }: { row: StagedReturn }) {
  return (
    <>
      <DateText date={row.due_on} />
      {row.is_overdue && (
        <Text as="span" tone="error">
          , overdue
        </Text>
      )}
      {row.has_changed && (
        <Text size="small" tone="quiet">
          Figures changed after they were sent
        </Text>
      )}
    </>
  );
}
