/** Transactions as virtual rows: a table of any size scrolls smoothly, and screen readers still get the total number of rows. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { vatReturnsApi } from '@portal/contract/vat-returns.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { useVirtualizer } from '@tanstack/react-virtual';
import clsx from 'clsx';
import { useEffect, useRef, type CSSProperties } from 'react';
import { MEDIA_BELOW, useMediaQuery } from '../../lib/use-media-query.ts';
import { Icon } from '../../ui/icon.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { describeChange, describeOtherAmount } from './describe-changes.ts';
import { describeFlags } from './describe-flags.ts';
import styles from './transaction-rows.module.css';
import { TREATMENT_NAMES } from '../books/treatment-names.ts';

export type Transaction = EndpointOutput<typeof vatReturnsApi.transactions>['transactions'][number];

const WIDE_ROW_PX = 44;
const NARROW_ROW_PX = 96;
/** On a phone, what has changed gets a line of its own. */
const CHANGE_LINE_PX = 22;
/** How many rows before the end to request the next page. */
const LOAD_AHEAD_ROWS = 30;

type TransactionRowsProps = {
  transactions: readonly Transaction[];
  total: number;
  /** What the documents are compared with. */
  since: 'approval' | 'filing';
  isLoadingMore: boolean;
  loadMore: (() => void) | undefined;
};

export function TransactionRows({ transactions, total, since, isLoadingMore, loadMore }: TransactionRowsProps) {
  const isNarrow = useMediaQuery(MEDIA_BELOW.sm);
  const scrollerRef = useRef<HTMLDivElement>(null);
  const getRowHeight = (index: number): number =>
    isNarrow ? NARROW_ROW_PX + (transactions[index]?.change ? CHANGE_LINE_PX : 0) : WIDE_ROW_PX;
  const rows = useVirtualizer({
    count: transactions.length,
    getScrollElement: () => scrollerRef.current,
    estimateSize: getRowHeight,
    overscan: 12,
  });
  useEffect(() => rows.measure(), [rows, isNarrow, transactions]);
  const visibleRows = rows.getVirtualItems();
  const lastVisibleIndex = visibleRows.at(-1)?.index ?? 0;
  useEffect(() => {
    if (loadMore && !isLoadingMore && lastVisibleIndex >= transactions.length - LOAD_AHEAD_ROWS) loadMore();
  }, [loadMore, isLoadingMore, lastVisibleIndex, transactions.length]);
  const layoutClass = isNarrow ? styles.narrow : styles.wide;
  return (
    <div ref={scrollerRef} tabIndex={0} role="table" aria-label="Transactions" aria-rowcount={total + 1} className={styles.table}>
      <div role="rowgroup">
        <Heading narrow={isNarrow} />
      </div>
      <div role="rowgroup" className={styles.rows} style={{ '--height': `${rows.getTotalSize()}px` } as CSSProperties}>
        {visibleRows.map((item) => {
          const transaction = transactions[item.index];
          if (!transaction) return null;
          return (
            <div
              role="row"
              aria-rowindex={item.index + 2}
              key={item.key}
              className={clsx(styles.row, layoutClass)}
              style={{ '--row-height': `${item.size}px`, '--start': `${item.start}px` } as CSSProperties}
            >
              <TransactionCells transaction={transaction} since={since} narrow={isNarrow} />
            </div>
          );
        })}
      </div>
      {isLoadingMore && <Text className={styles.loading}>Loading more…</Text>}
    </div>
  );
}

function Heading({ narrow }: { narrow: boolean }) {
  const names = narrow
    ? ['Transaction', 'Amount in box']
    : ['Line', 'Date', 'Customer or supplier', 'Description', 'VAT treatment', 'Amount in box'];
  return (
    <div role="row" aria-rowindex={1} className={clsx(styles.heading, narrow ? styles.narrow : styles.wide)}>
      {names.map((name, index) => (
        <div role="columnheader" key={name} className={clsx(index === names.length - 1 && styles.amountHeading)}>
          {name}
        </div>
      ))}
    </div>
  );
}

type TransactionCellsProps = { transaction: Transaction; since: TransactionRowsProps['since']; narrow: boolean };

function TransactionCells({ transaction, since, narrow }: TransactionCellsProps) {
  const { line, date, counterparty, description, reference, treatment, amount_pence: amount } = transaction;
  const warning = describeFlags(transaction);
  // The line of a row that isn't in the figures is in the other books.
  const ownLine = transaction.is_in_figures ? line : undefined;
  const treatmentName = TREATMENT_NAMES[treatment];
  const otherAmount = describeOtherAmount(transaction, since);
  const changeText = describeChange(transaction, since);
  const change = changeText !== '' && (
    <div title={changeText} className={clsx(styles.oneLine, styles.change)}>
      {changeText}
    </div>
  );
  const money = (
    <div role="cell" className={styles.amount}>
      {warning !== '' && <Icon name="warning" title={warning} size={16} tone="warning" className={styles.flag} />}
      {formatPounds(amount)}
      {otherAmount !== '' && <div className={styles.otherAmount}>{otherAmount}</div>}
    </div>
  );
  if (narrow) {
    return (
      <>
        <div role="cell">
          <div className={clsx(styles.oneLine, styles.strong)}>{counterparty}</div>
          <div className={styles.oneLine}>{description}</div>
          <div className={clsx(styles.oneLine, styles.quiet)}>
            {formatDate(date, 'short')},{' '}
            <TransactionReference
              transaction={transaction}
              text={reference === '' && ownLine !== undefined ? `line ${ownLine}` : reference}
            />
          </div>
          <div className={clsx(styles.oneLine, styles.quiet)}>{treatmentName}</div>
          {change}
        </div>
        {money}
      </>
    );
  }
  return (
    <>
      <div role="cell" className={styles.quiet}>
        {ownLine}
      </div>
      <div role="cell">{formatDate(date, 'short')}</div>
      <div role="cell" title={counterparty} className={clsx(styles.oneLine, styles.strong)}>
        {counterparty}
      </div>
      <div role="cell" title={`${description} · ${reference}`}>
        <div className={styles.oneLine}>
          {description}{' '}
          <span className={styles.quiet}>
            <TransactionReference transaction={transaction} text={reference} />
          </span>
        </div>
        {change}
      </div>
      <div role="cell" title={treatmentName} className={styles.oneLine}>
        {treatmentName}
      </div>
      {money}
    </>
  );
}

/** Links to the document in the bookkeeping software, if the books were read from it. */
function TransactionReference({ transaction: { link, counterparty }, text }: { transaction: Transaction; text: string }) {
  if (link === null) return text;
  return (
    <TextLink
      href={link}
      target="_blank"
      rel="noreferrer"
      aria-label={`Open ${text || 'this document'} from ${counterparty || 'unknown'} in your bookkeeping software`}
    >
      {text || 'Open'}
    </TextLink>
  );
}
