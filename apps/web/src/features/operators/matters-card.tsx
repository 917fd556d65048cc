/** Reconciliation exceptions: money received that repaid no advance, and money that is missing. Each is opened and resolved on its own. */
import { operatorMattersApi } from '@portal/contract/operator-matters.ts';
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
import { MatterDialog } from './matter-dialog.tsx';
import { MATTER_CHIPS, matterText, type Matter } from './matter-words.ts';

const REFRESH_MS = 15_000;

export function MattersCard() {
  const query = useQuery({ ...apiQuery(operatorMattersApi.list, {}), refetchInterval: REFRESH_MS });
  const count = query.data?.count ?? 0;
  return (
    <SectionCard title={count === 0 ? 'Open matters' : `Open matters (${count})`}>
      <LoadState query={query}>{({ matters }) => <Matters matters={matters} count={count} />}</LoadState>
    </SectionCard>
  );
}

function Matters({ matters, count }: { matters: readonly Matter[]; count: number }) {
  const [opened, setOpened] = useState<string>();
  return (
    <>
      {matters.length === 0 ? (
        <Typography>Every credit belongs to an advance, and no repayment is late or short.</Typography>
      ) : (
        <Box component="ul" aria-label="Open matters" sx={{ listStyle: 'none', m: 0, p: 0 }}>
          {matters.map((matter) => (
            <MatterRow key={matter.subject_id} matter={matter} open={() => setOpened(matter.subject_id)} />
          ))}
        </Box>
      )}
      {matters.length < count ? (
        <Typography variant="body2" sx={{ mt: 1.5, color: 'text.secondary' }}>
          The oldest {matters.length} of {count}. Decide some, and the next appear.
        </Typography>
      ) : null}
      <MatterDialog matter={matters.find(({ subject_id }) => subject_id === opened)} onClose={() => setOpened(undefined)} />
    </>
  );
}

function MatterRow({ matter, open }: { matter: Matter; open: () => void }) {
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
          <CompanyName matter={matter} />
          <StateChip {...MATTER_CHIPS[matter.kind]} />
        </Box>
        <Typography variant="body2" sx={{ mt: 0.5, overflowWrap: 'anywhere' }}>
          {matterText(matter)}
        </Typography>
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          Since <InstantText at={matter.since} />
          {matter.notes.length > 0 ? `. ${matter.notes.length} ${matter.notes.length === 1 ? 'note' : 'notes'}` : ''}
        </Typography>
      </Box>
      <MoneyText pence={matter.amount_pence} size="table" />
      <Button variant="outlined" size="small" onClick={open}>
        {matter.kind === 'credit' ? 'Decide' : 'Open'}
        <HiddenText> the matter of {matter.company_name}</HiddenText>
      </Button>
    </Box>
  );
}

/** An advance's exception links to its page. A credit doesn't belong to an advance yet. */
function CompanyName({ matter }: { matter: Matter }) {
  if (matter.kind === 'credit') {
    return (
      <Box component="span" sx={{ fontWeight: 600 }}>
        {matter.company_name}
      </Box>
    );
  }
  const place = { company_id: matter.company_id, advance_id: matter.subject_id };
  return (
    <Link component={RouterLink} to={pageLink('adminAdvance', place)} sx={{ fontWeight: 600 }}>
      {matter.company_name}
    </Link>
  );
}
