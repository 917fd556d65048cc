/** Reconciliation exceptions: money received that repaid no advance, and money that is missing. Each is opened and resolved on its own. */
import { reconciliationExceptionsApi } from '@portal/contract/reconciliation-exceptions.ts';
import { pageLink } from '../../lib/page-link.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router';
import { apiQuery } from '../../lib/api.ts';
import { InstantText } from '../../ui/date-text.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { MoneyText } from '../../ui/money-text.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { ExceptionDialog } from './exception-dialog.tsx';
import { EXCEPTION_CHIPS, describeException, type ReconciliationException } from './exception-labels.ts';

const REFRESH_MS = 15_000;

export function ExceptionsCard() {
  const query = useQuery({ ...apiQuery(reconciliationExceptionsApi.list, {}), refetchInterval: REFRESH_MS });
  const count = query.data?.count ?? 0;
  return (
    <SectionCard title={count === 0 ? 'Open matters' : `Open matters (${count})`}>
      <LoadState query={query}>{({ matters }) => <ExceptionList matters={matters} count={count} />}</LoadState>
    </SectionCard>
  );
}

function ExceptionList({ matters, count }: { matters: readonly ReconciliationException[]; count: number }) {
  const [opened, setOpened] = useState<string>();
  return (
    <>
      {matters.length === 0 ? (
        <Typography>Every credit belongs to an advance, and no repayment is late or short.</Typography>
      ) : (
        <Box component="ul" aria-label="Open matters" sx={{ listStyle: 'none', m: 0, p: 0 }}>
          {matters.map((exception) => (
            <ExceptionRow key={exception.subject_id} exception={exception} open={() => setOpened(exception.subject_id)} />
          ))}
        </Box>
      )}
      {matters.length < count ? (
        <Typography variant="body2" sx={{ mt: 1.5, color: 'text.secondary' }}>
          The oldest {matters.length} of {count}. Decide some, and the next appear.
        </Typography>
      ) : null}
      <ExceptionDialog exception={matters.find(({ subject_id }) => subject_id === opened)} onClose={() => setOpened(undefined)} />
    </>
  );
}

function ExceptionRow({ exception, open }: { exception: ReconciliationException; open: () => void }) {
  return (
    <Box
      component="li"
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: 'minmax(0, 1fr) auto', md: 'minmax(0, 1fr) auto auto' },
        columnGap: 3,
        rowGap: 1,
        alignItems: 'center',
        py: 1.5,
        borderTop: 1,
        borderColor: 'divider',
      }}
    >
      <Box sx={{ minWidth: 0, gridColumn: { xs: '1 / -1', md: 'auto' } }}>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 1.5, rowGap: 0.5, alignItems: 'center' }}>
          <CompanyName exception={exception} />
          <StateChip {...EXCEPTION_CHIPS[exception.kind]} />
        </Box>
        <Typography variant="body2" sx={{ mt: 0.5, overflowWrap: 'anywhere' }}>
          {describeException(exception)}
        </Typography>
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          Since <InstantText at={exception.since} />
          {exception.notes.length > 0 ? `. ${exception.notes.length} ${exception.notes.length === 1 ? 'note' : 'notes'}` : ''}
        </Typography>
      </Box>
      <MoneyText pence={exception.amount_pence} size="table" />
      <Button variant="outlined" size="small" onClick={open}>
        {exception.kind === 'credit' ? 'Decide' : 'Open'}
        <HiddenText> the matter of {exception.company_name}</HiddenText>
      </Button>
    </Box>
  );
}

/** An advance's exception links to its page. A credit doesn't belong to an advance yet. */
function CompanyName({ exception }: { exception: ReconciliationException }) {
  if (exception.kind === 'credit') {
    return (
      <Box component="span" sx={{ fontWeight: 600 }}>
        {exception.company_name}
      </Box>
    );
  }
  const place = { company_id: exception.company_id, advance_id: exception.subject_id };
  return (
    <Link component={RouterLink} to={pageLink('adminAdvance', place)} sx={{ fontWeight: 600 }}>
      {exception.company_name}
    </Link>
  );
}
