/** Transactions as virtual rows: a table of any size scrolls smoothly, and screen readers still get the total number of rows. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { vatReturnsApi } from '@portal/contract/vat-returns.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import Box from '@mui/material/Box';
import { useTheme } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { Icon } from '../../ui/icons.tsx';

export type Transaction = EndpointOutput<typeof vatReturnsApi.transactions>['transactions'][number];

const WIDE_ROW_PX = 44;
const NARROW_ROW_PX = 76;
/** How many rows before the end the next page is requested. */
const LOAD_AHEAD_ROWS = 30;
/** The description gets the most space, followed by its reference. The line number fits five digits, the amount £1,000,000.00. */
const COLUMNS = '48px 92px minmax(0, 1fr) minmax(0, 1.3fr) 112px';

type TransactionRowsProps = {
  transactions: readonly Transaction[];
  total: number;
  isLoadingMore: boolean;
  loadMore: (() => void) | undefined;
};

export function TransactionRows({ transactions, total, isLoadingMore, loadMore }: TransactionRowsProps) {
  const narrow = useMediaQuery(useTheme().breakpoints.down('sm'));
  const scroller = useRef<HTMLDivElement>(null);
  const rowHeight = narrow ? NARROW_ROW_PX : WIDE_ROW_PX;
  const rows = useVirtualizer({
    count: transactions.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  useEffect(() => rows.measure(), [rows, rowHeight]);
  const drawn = rows.getVirtualItems();
  const lastDrawn = drawn.at(-1)?.index ?? 0;
  useEffect(() => {
    if (loadMore && !isLoadingMore && lastDrawn >= transactions.length - LOAD_AHEAD_ROWS) loadMore();
  }, [loadMore, isLoadingMore, lastDrawn, transactions.length]);
  return (
    <Box
      ref={scroller}
      tabIndex={0}
      role="table"
      aria-label="Transactions"
      aria-rowcount={total + 1}
      sx={{ maxHeight: '60dvh', overflowY: 'auto', border: 1, borderColor: 'divider', borderRadius: 1, fontSize: '0.875rem' }}
    >
      <Box role="rowgroup">
        <Heading narrow={narrow} />
      </Box>
      <Box role="rowgroup" sx={{ height: rows.getTotalSize(), position: 'relative' }}>
        {drawn.map((item) => {
          const transaction = transactions[item.index];
          return transaction ? (
            <Box
              role="row"
              aria-rowindex={item.index + 2}
              key={item.key}
              sx={{
                position: 'absolute',
                top: 0,
                left: 0,
                right: 0,
                height: rowHeight,
                transform: `translateY(${item.start}px)`,
                borderTop: 1,
                borderColor: 'divider',
                px: 1.5,
                ...(narrow ? NARROW_ROW : WIDE_ROW),
              }}
            >
              <Cells transaction={transaction} narrow={narrow} />
            </Box>
          ) : null;
        })}
      </Box>
      {isLoadingMore ? <Typography sx={{ p: 1.5 }}>Loading more …</Typography> : null}
    </Box>
  );
}

const WIDE_ROW = { display: 'grid', gridTemplateColumns: COLUMNS, columnGap: 1.5, alignItems: 'center' } as const;
const NARROW_ROW = { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr) auto', columnGap: 1.5, alignContent: 'center' } as const;
const ONE_LINE = { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' } as const;
const HIDDEN = { position: 'absolute', width: '1px', height: '1px', overflow: 'hidden', clip: 'rect(0 0 0 0)' } as const;

function Heading({ narrow }: { narrow: boolean }) {
  const names = narrow ? ['From, for what and when', 'Adds to the box'] : ['Line', 'Date', 'From or to', 'What for', 'Adds to the box'];
  return (
    <Box
      role="row"
      aria-rowindex={1}
      sx={{
        ...(narrow ? NARROW_ROW : WIDE_ROW),
        position: 'sticky',
        top: 0,
        zIndex: 1,
        minHeight: 44,
        px: 1.5,
        bgcolor: 'background.paper',
        borderBottom: 1,
        borderColor: 'divider',
        fontWeight: 600,
        color: 'text.secondary',
      }}
    >
      {names.map((name, index) => (
        <Box role="columnheader" key={name} sx={index === names.length - 1 ? { textAlign: 'right' } : {}}>
          {name}
        </Box>
      ))}
    </Box>
  );
}

function Cells({ transaction, narrow }: { transaction: Transaction; narrow: boolean }) {
  const { line, date, counterparty, description, reference, treatment, amount_pence: amount, flagged } = transaction;
  const title = `${counterparty} · ${description} · ${reference} · ${treatment.replaceAll('_', ' ')}`;
  const money = (
    <Box role="cell" sx={{ textAlign: 'right', fontVariantNumeric: 'tabular-nums', fontWeight: 500, whiteSpace: 'nowrap' }}>
      {flagged ? (
        <Icon name="warning" title="Repeats an earlier row" sx={{ fontSize: 16, color: 'warning.tone', mr: 0.5, mb: '-3px' }} />
      ) : null}
      {formatPounds(amount)}
    </Box>
  );
  if (narrow) {
    return (
      <>
        <Box role="cell" sx={{ minWidth: 0 }}>
          <Box sx={{ ...ONE_LINE, fontWeight: 500 }}>{counterparty}</Box>
          <Box sx={ONE_LINE}>{description}</Box>
          <Box sx={{ ...ONE_LINE, color: 'text.secondary' }}>
            {formatDate(date, 'short')}, line {line}
          </Box>
        </Box>
        {money}
      </>
    );
  }
  return (
    <>
      <Box role="cell" sx={{ color: 'text.secondary', fontVariantNumeric: 'tabular-nums' }}>
        {line}
      </Box>
      <Box role="cell" sx={{ whiteSpace: 'nowrap' }}>
        {formatDate(date, 'short')}
      </Box>
      <Box role="cell" title={title} sx={{ ...ONE_LINE, fontWeight: 500 }}>
        {counterparty}
      </Box>
      <Box role="cell" title={title} sx={ONE_LINE}>
        {description}{' '}
        <Box component="span" sx={{ color: 'text.secondary' }}>
          {reference}
        </Box>
        <Box component="span" sx={HIDDEN}>
          , {treatment.replaceAll('_', ' ')}
        </Box>
      </Box>
      {money}
    </>
  );
}
