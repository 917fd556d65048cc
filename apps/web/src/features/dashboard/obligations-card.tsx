/** The returns HMRC expects and has: newest first, narrowed by a chip that the address remembers, each leading to its return. */
import type { DashboardOutput } from '@portal/contract/dashboard.ts';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { useTheme } from '@mui/material/styles';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import useMediaQuery from '@mui/material/useMediaQuery';
import { Link as RouterLink, useSearchParams } from 'react-router';
import { pageLink } from '../../lib/page-link.ts';
import { periodText } from '../../lib/period-text.ts';
import { DateText, InstantText } from '../../ui/date-text.tsx';
import { FilterChips } from '../../ui/filter-chips.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { describeObligation, GROUP_WORDS, groupOf, OBLIGATION_GROUPS, type Obligation } from './return-words.ts';

const QUERY_NAME = 'returns';

export function ObligationsCard({ data }: { data: DashboardOutput }) {
  const [search] = useSearchParams();
  const chosen = OBLIGATION_GROUPS.find((group) => group === search.get(QUERY_NAME));
  const narrow = useMediaQuery(useTheme().breakpoints.down('lg'));
  const newestFirst = data.obligations.toSorted((a, b) => (a.period_end < b.period_end ? 1 : -1));
  const shown = newestFirst.filter((obligation) => chosen === undefined || groupOf(obligation) === chosen);
  const List = narrow ? ObligationList : ObligationTable;
  return (
    <SectionCard
      title="VAT returns"
      source={
        data.hmrc.as_of ? (
          <>
            HMRC, <InstantText at={data.hmrc.as_of} />
          </>
        ) : undefined
      }
    >
      {data.obligations.length === 0 ? (
        <Typography>
          {data.hmrc.as_of
            ? 'HMRC holds no VAT return for this company, neither expected nor filed.'
            : 'The returns appear here once HMRC is connected and has been read.'}
        </Typography>
      ) : (
        <>
          <FilterChips
            label="Show returns"
            name={QUERY_NAME}
            chosen={chosen}
            all={{ label: 'All', count: newestFirst.length }}
            options={OBLIGATION_GROUPS.map((group) => ({
              value: group,
              label: GROUP_WORDS[group],
              count: newestFirst.filter((obligation) => groupOf(obligation) === group).length,
            }))}
          />
          {shown.length === 0 ? (
            <Typography sx={{ py: 2 }}>No return is {GROUP_WORDS[chosen ?? 'filed'].toLowerCase().replace('hmrc', 'HMRC')}.</Typography>
          ) : (
            <List obligations={shown} companyId={data.company.company_id} />
          )}
        </>
      )}
    </SectionCard>
  );
}

type ListProps = { obligations: readonly Obligation[]; companyId: string };

function ReturnLink({ obligation, companyId }: { obligation: Obligation; companyId: string }) {
  return (
    <Link
      component={RouterLink}
      sx={{ display: 'inline-block', py: 0.5, fontSize: '0.875rem' }}
      to={pageLink('vatReturn', { company_id: companyId, obligation_id: obligation.obligation_id })}
    >
      {describeObligation(obligation).action}
      <Box component="span" sx={{ position: 'absolute', width: '1px', height: '1px', overflow: 'hidden', clip: 'rect(0 0 0 0)' }}>
        {' '}
        for {periodText(obligation.period_start, obligation.period_end)}
      </Box>
    </Link>
  );
}

function ObligationTable({ obligations, companyId }: ListProps) {
  return (
    <TableContainer>
      <Table aria-label="VAT returns" sx={{ '& .MuiTableCell-root': { px: 1, whiteSpace: 'nowrap' } }}>
        <TableHead>
          <TableRow>
            <TableCell>Period</TableCell>
            <TableCell>Due</TableCell>
            <TableCell>Where it stands</TableCell>
            <TableCell>Next step</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {obligations.map((obligation) => (
            <TableRow key={obligation.obligation_id} hover>
              <TableCell component="th" scope="row" sx={{ fontWeight: 500, whiteSpace: 'nowrap' }}>
                {periodText(obligation.period_start, obligation.period_end, 'short')}
              </TableCell>
              <TableCell>
                <DateText date={obligation.due_on} style="short" />
              </TableCell>
              <TableCell>
                <StateChip {...describeObligation(obligation).chip} />
                {obligation.received_on ? (
                  <Typography variant="body2" sx={{ color: 'text.secondary', mt: 0.25 }}>
                    Received <DateText date={obligation.received_on} style="short" />
                  </Typography>
                ) : null}
              </TableCell>
              <TableCell>
                <ReturnLink obligation={obligation} companyId={companyId} />
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  );
}

function ObligationList({ obligations, companyId }: ListProps) {
  return (
    <Box component="ul" aria-label="VAT returns" sx={{ listStyle: 'none', m: 0, p: 0 }}>
      {obligations.map((obligation) => (
        <Box
          component="li"
          key={obligation.obligation_id}
          sx={{ py: 1.5, borderTop: 1, borderColor: 'divider', display: 'grid', gap: 0.5, justifyItems: 'start' }}
        >
          <Typography sx={{ fontWeight: 500 }}>{periodText(obligation.period_start, obligation.period_end, 'short')}</Typography>
          <StateChip {...describeObligation(obligation).chip} />
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            Due <DateText date={obligation.due_on} style="short" />
            {obligation.received_on ? (
              <>
                , received <DateText date={obligation.received_on} style="short" />
              </>
            ) : null}
          </Typography>
          <ReturnLink obligation={obligation} companyId={companyId} />
        </Box>
      ))}
    </Box>
  );
}
