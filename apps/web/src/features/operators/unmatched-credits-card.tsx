/** Money that arrived in a collection account and belongs to no repayment that we expect. */
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { InstantText } from '../../ui/date-text.tsx';
import { MoneyText } from '../../ui/money-text.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { FLUSH_TABLE } from './flush-table.ts';
import type { Queues } from './queues-screen.tsx';

export function UnmatchedCreditsCard({ credits }: { credits: Queues['unmatched_credits'] }) {
  if (credits.length === 0) {
    return (
      <SectionCard title="Credits that match nothing">
        <Typography>Every credit in the collection accounts belongs to an advance.</Typography>
      </SectionCard>
    );
  }
  return (
    <SectionCard title={`Credits that match nothing (${credits.length})`}>
      <TableContainer tabIndex={0} role="region" aria-label="Credits that match nothing">
        <Table sx={FLUSH_TABLE}>
          <TableHead>
            <TableRow>
              <TableCell>Company</TableCell>
              <TableCell align="right">Amount</TableCell>
              <TableCell>Received</TableCell>
              <TableCell>Reference</TableCell>
            </TableRow>
          </TableHead>
          <TableBody>
            {credits.map((credit) => (
              <TableRow key={credit.credit_id}>
                <TableCell component="th" scope="row">
                  {credit.company_name}
                </TableCell>
                <TableCell align="right">
                  <MoneyText pence={credit.amount_pence} size="table" />
                </TableCell>
                <TableCell>
                  <InstantText at={credit.received_at} />
                </TableCell>
                <TableCell>{credit.reference}</TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </TableContainer>
    </SectionCard>
  );
}
