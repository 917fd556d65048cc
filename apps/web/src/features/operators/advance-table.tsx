/** The advances of a queue, longest waiting first, each linked to its page. A list of cards on a phone. */
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
import { Link as RouterLink } from 'react-router';
import { pageLink } from '../../lib/page-link.ts';
import { InstantText } from '../../ui/date-text.tsx';
import { MoneyText } from '../../ui/money-text.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { ADVANCE_CHIPS } from './advance-labels.ts';
import { FLUSH_TABLE } from '../../ui/flush-table.ts';
import type { QueuedAdvance } from './operator-outputs.ts';
import { getQueuedPendingAction } from './pending-action.ts';

export function AdvanceTable({ advances }: { advances: readonly QueuedAdvance[] }) {
  const narrow = useMediaQuery(useTheme().breakpoints.down('md'));
  const oldestFirst = advances.toSorted((a, b) => (a.since < b.since ? -1 : 1));
  return narrow ? <Cards advances={oldestFirst} /> : <Rows advances={oldestFirst} />;
}

function AdvanceLink({ advance }: { advance: QueuedAdvance }) {
  return (
    <Link
      component={RouterLink}
      to={pageLink('adminAdvance', { company_id: advance.company_id, advance_id: advance.advance_id })}
      sx={{ fontWeight: 600 }}
    >
      {advance.company_name}
    </Link>
  );
}

function Rows({ advances }: { advances: readonly QueuedAdvance[] }) {
  return (
    <TableContainer>
      <Table stickyHeader aria-label="Advances" sx={FLUSH_TABLE}>
        <TableHead>
          <TableRow>
            <TableCell>Company</TableCell>
            <TableCell>State</TableCell>
            <TableCell align="right">Refund</TableCell>
            <TableCell align="right">To pay out</TableCell>
            <TableCell>In this state since</TableCell>
            <TableCell>Waits for</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {advances.map((advance) => (
            <TableRow key={advance.advance_id}>
              <TableCell component="th" scope="row">
                <AdvanceLink advance={advance} />
              </TableCell>
              <TableCell>
                <StateChip {...ADVANCE_CHIPS[advance.state]} />
              </TableCell>
              <TableCell align="right">
                <MoneyText pence={advance.refund_pence} size="table" />
              </TableCell>
              <TableCell align="right">
                <MoneyText pence={advance.net_pence} size="table" />
              </TableCell>
              <TableCell>
                <InstantText at={advance.since} />
              </TableCell>
              <TableCell>{capitalised(getQueuedPendingAction(advance) ?? 'nothing')}</TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  );
}

function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function Cards({ advances }: { advances: readonly QueuedAdvance[] }) {
  return (
    <Box component="ul" aria-label="Advances" sx={{ listStyle: 'none', m: 0, p: 0 }}>
      {advances.map((advance) => (
        <Box
          component="li"
          key={advance.advance_id}
          sx={{ py: 1.5, borderTop: 1, borderColor: 'divider', display: 'grid', gap: 0.5, justifyItems: 'start' }}
        >
          <AdvanceLink advance={advance} />
          <StateChip {...ADVANCE_CHIPS[advance.state]} />
          <Typography variant="body2">
            <MoneyText pence={advance.net_pence} size="table" /> to pay out for a refund of{' '}
            <MoneyText pence={advance.refund_pence} size="table" />
          </Typography>
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            Since <InstantText at={advance.since} />
            {getQueuedPendingAction(advance) === undefined ? '' : `. Waits for ${getQueuedPendingAction(advance)}.`}
          </Typography>
        </Box>
      ))}
    </Box>
  );
}
