/** The postings with their lines, newest first. Older ones load on click. */
import { formatPounds } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { InstantText } from '../../ui/date-text.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import type { Ledger, Posting } from './operator-outputs.ts';

type PostingsCardProps = {
  postings: readonly Posting[];
  accounts: Ledger['accounts'];
  isLoadingMore: boolean;
  loadMore: (() => void) | undefined;
};

export function PostingsCard({ postings, accounts, isLoadingMore, loadMore }: PostingsCardProps) {
  const names = new Map(accounts.map((account) => [account.account, account.name]));
  return (
    <SectionCard title="Postings">
      {postings.length === 0 ? (
        <Typography>Nothing has been posted yet. The first payout makes the first posting.</Typography>
      ) : (
        <Box component="ol" sx={{ listStyle: 'none', m: 0, p: 0 }}>
          {postings.map((posting) => (
            <Box component="li" key={posting.position} sx={{ py: 1.5, borderTop: 1, borderColor: 'divider' }}>
              <PostingRow posting={posting} names={names} />
            </Box>
          ))}
        </Box>
      )}
      {loadMore ? (
        <Button variant="outlined" size="medium" sx={{ mt: 2 }} onClick={loadMore} loading={isLoadingMore}>
          Show older postings
        </Button>
      ) : null}
    </SectionCard>
  );
}

function PostingRow({ posting, names }: { posting: Posting; names: ReadonlyMap<string, string> }) {
  return (
    <Box
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'minmax(0, 2fr) minmax(0, 3fr)', md: 'minmax(0, 1fr) minmax(0, 1fr)' },
        columnGap: 4,
        rowGap: 1,
      }}
    >
      <Box>
        <Typography sx={{ fontWeight: 500 }}>{posting.description}</Typography>
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {posting.company_name}, {formatDate(posting.on, 'short')}. No.&nbsp;{posting.position}, posted{' '}
          <InstantText at={posting.posted_at} />
        </Typography>
      </Box>
      <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0, fontSize: '0.875rem' }}>
        {posting.lines.map((line) => (
          <Box component="li" key={line.account} sx={{ display: 'flex', gap: 2, justifyContent: 'space-between', py: 0.25 }}>
            <Box component="span" sx={{ display: 'flex' }}>
              <Box component="span" sx={{ color: 'text.secondary', flex: '0 0 28px' }}>
                {line.debit_pence > 0 ? 'Dr' : 'Cr'}
              </Box>
              {names.get(line.account) ?? line.account}
            </Box>
            <Box component="span" sx={{ fontVariantNumeric: 'tabular-nums' }}>
              {formatPounds(line.debit_pence > 0 ? line.debit_pence : line.credit_pence)}
            </Box>
          </Box>
        ))}
      </Box>
    </Box>
  );
}
