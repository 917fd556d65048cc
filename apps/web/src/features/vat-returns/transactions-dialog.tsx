/** The transactions behind one box, in the order of the file. Pages load while scrolling, and only visible rows are rendered. */
import { vatReturnsApi } from '@portal/contract/vat-returns.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { formatPounds } from '@portal/domain/money.ts';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type ApiError, apiRequest } from '../../lib/api.ts';
import { LoadState } from '../../ui/load-state.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { TableSkeleton } from '../../ui/skeletons.tsx';
import { BOX_NAMES, type OpenableBox } from '../../lib/box-names.ts';
import { TransactionRows, type Transaction } from './transaction-rows.tsx';

type Page = EndpointOutput<typeof vatReturnsApi.transactions>;

type TransactionsDialogProps = { box: OpenableBox | null; input: { company_id: string; obligation_id: string }; onClose: () => void };

export function TransactionsDialog({ box, input, onClose }: TransactionsDialogProps) {
  return (
    <ModalDialog open={box !== null} heading={box === null ? '' : `Box ${box}: the transactions`} onClose={onClose}>
      {box === null ? null : <Transactions box={box} input={input} />}
    </ModalDialog>
  );
}

function Transactions({ box, input }: { box: OpenableBox; input: TransactionsDialogProps['input'] }) {
  const query = useInfiniteQuery<Page, ApiError, { transactions: Transaction[]; first: Page | undefined }, readonly unknown[], number>({
    queryKey: [vatReturnsApi.transactions.path, { ...input, box }],
    queryFn: ({ pageParam, signal }) => apiRequest(vatReturnsApi.transactions, { ...input, box, after_line: pageParam }, { signal }),
    initialPageParam: 0,
    getNextPageParam: (page) => page.next_after_line,
    select: ({ pages }) => ({ transactions: pages.flatMap((page) => page.transactions), first: pages[0] }),
  });
  const name = BOX_NAMES.find((known) => known.number === box);
  return (
    <>
      <Typography sx={{ mb: 2, maxWidth: '68ch' }}>{name?.name}</Typography>
      <LoadState query={query} skeleton={<TableSkeleton rows={8} />}>
        {({ transactions, first }) =>
          transactions.length === 0 ? (
            <Typography sx={{ py: 3 }}>No transaction of this period adds to box {box}.</Typography>
          ) : (
            <>
              <Total first={first} isPounds={name?.unit === 'pounds'} />
              <TransactionRows
                transactions={transactions}
                total={first?.rows ?? transactions.length}
                isLoadingMore={query.isFetchingNextPage}
                loadMore={query.hasNextPage ? () => void query.fetchNextPage() : undefined}
              />
            </>
          )
        }
      </LoadState>
    </>
  );
}

function Total({ first, isPounds }: { first: Page | undefined; isPounds: boolean }) {
  if (!first) return null;
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'space-between', gap: 1, mb: 1 }}>
      <Typography sx={{ fontWeight: 600 }}>
        {first.rows.toLocaleString('en-GB')} {first.rows === 1 ? 'transaction' : 'transactions'}
      </Typography>
      <Typography sx={{ fontWeight: 600, fontVariantNumeric: 'tabular-nums' }}>
        {formatPounds(first.total_pence)}
        {isPounds ? ', in the box rounded to whole pounds' : ' in all'}
      </Typography>
    </Box>
  );
}
