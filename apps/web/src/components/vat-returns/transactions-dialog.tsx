/** The transactions behind one box, in file order. Pages load while scrolling, and only visible rows are rendered. */
import type { vatReturnsApi, VatReturnOutput } from '@portal/contract/vat-returns.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { formatPounds, pence } from '@portal/domain/money.ts';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useDeferredValue, useId, useState } from 'react';
import { type ApiError, apiRequest } from '../../lib/api.ts';
import { BOX_NAMES, type OpenableBox } from '../../lib/box-names.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/choice.tsx';
import { Icon } from '../../ui/icon.tsx';
import { TextInput } from '../../ui/input.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { TableSkeleton } from '../../ui/skeletons.tsx';
import { Text } from '../../ui/text.tsx';
import { getReturnApi, type ReturnTarget } from './return-api.ts';
import { describeChange, describeChanges } from './describe-changes.ts';
import { exportTransactions } from './export-transactions.ts';
import { TransactionRows, type Transaction } from './transaction-rows.tsx';
import styles from './transactions-dialog.module.css';

type TransactionsPage = EndpointOutput<typeof vatReturnsApi.transactions>;
type LoadedTransactions = { transactions: Transaction[]; first: TransactionsPage | undefined };

type TransactionsDialogProps = {
  box: OpenableBox | null;
  data: VatReturnOutput;
  input: ReturnTarget;
  onClose: () => void;
};

export function TransactionsDialog({ box, data, input, onClose }: TransactionsDialogProps) {
  return (
    <ModalDialog open={box !== null} heading={box === null ? '' : `Box ${box}: transactions`} onClose={onClose}>
      {box !== null && <Transactions box={box} data={data} input={input} />}
    </ModalDialog>
  );
}

type TransactionsProps = Pick<TransactionsDialogProps, 'data' | 'input'> & { box: OpenableBox };

function Transactions({ box, data, input }: TransactionsProps) {
  const id = useId();
  const [searchText, setText] = useState('');
  const [isOnlyChanged, setOnlyChanged] = useState(false);
  const search = useDeferredValue(searchText.trim()) || undefined;
  const show = isOnlyChanged ? 'changed' : 'all';
  // The number for this box; unlike the loaded page, it's there before the transactions and while they are searched.
  const changes = data.changes && { ...data.changes, documents: data.changes.boxes.find((item) => item.box === box)?.documents ?? 0 };
  const query = useInfiniteQuery<TransactionsPage, ApiError, LoadedTransactions, readonly unknown[], number>({
    queryKey: [getReturnApi(input).transactions.path, { ...input, box, search, show }],
    queryFn: ({ pageParam, signal }) =>
      apiRequest(getReturnApi(input).transactions, { ...input, box, search, show, after_line: pageParam }, { signal }),
    initialPageParam: 0,
    getNextPageParam: (page) => page.next_after_line,
    select: ({ pages }) => ({ transactions: pages.flatMap((page) => page.transactions), first: pages[0] }),
  });
  const adjustments = data.adjustments.filter((adjustment) => adjustment.box === box);
  const download = useMutation({
    mutationFn: () => exportTransactions({ ...input, box, search, show }, search === undefined && !isOnlyChanged ? adjustments : []),
  });

  const name = BOX_NAMES.find((boxName) => boxName.number === box);
  return (
    <Stack>
      <Text measure>{name?.name}</Text>
      <div className={styles.tools}>
        <Stack gap={4} className={styles.search}>
          <Text as="label" htmlFor={id} size="small" weight="medium">
            Search transactions
          </Text>
          <TextInput id={id} small type="search" value={searchText} maxLength={100} onChange={(event) => setText(event.target.value)} />
        </Stack>
        <Button variant="outlined" size="small" isBusy={download.isPending} onClick={() => download.mutate()}>
          {!download.isPending && <Icon name="download" size={20} />}
          Download CSV
        </Button>
      </div>
      {download.error && (
        <Text role="alert" tone="error">
          {getErrorText(download.error)}
        </Text>
      )}
      {changes && <ChangedDocuments changes={changes} isOnlyChanged={isOnlyChanged} onChange={() => setOnlyChanged(!isOnlyChanged)} />}
      <BoxAdjustments adjustments={adjustments} />
      <FiledDifference data={data} box={box} />
      <LoadState query={query} skeleton={<TableSkeleton rows={8} />}>
        {({ transactions, first }) =>
          transactions.length === 0 ? (
            <Text role="status">{describeEmptyBox(box, search, isOnlyChanged)}</Text>
          ) : (
            <Stack gap={8}>
              <BoxTotal first={first} isPounds={name?.unit === 'pounds'} />
              <TransactionRows
                transactions={transactions}
                total={first ? first.rows + first.other_rows : transactions.length}
                since={first?.changes?.since ?? 'approval'}
                isLoadingMore={query.isFetchingNextPage}
                loadMore={query.hasNextPage ? () => void query.fetchNextPage() : undefined}
              />
            </Stack>
          )
        }
      </LoadState>
    </Stack>
  );
}

function describeEmptyBox(box: OpenableBox, search: string | undefined, isOnlyChanged: boolean): string {
  if (search !== undefined) return `No ${isOnlyChanged ? 'changed documents' : 'transactions'} match “${search}”.`;
  return isOnlyChanged ? `No documents have changed in box ${box}.` : `No transactions in this period are included in box ${box}.`;
}

type ChangedDocumentsProps = {
  changes: NonNullable<TransactionsPage['changes']>;
  isOnlyChanged: boolean;
  onChange: () => void;
};

/** How many of the box's documents have changed since the approval or filing, and the filter for them. */
function ChangedDocuments({ changes, isOnlyChanged, onChange }: ChangedDocumentsProps) {
  if (changes.documents === 0) return <Text tone="quiet">{describeChanges(changes)}</Text>;
  return (
    <Notice tone={changes.since === 'approval' ? 'warning' : 'info'} title={describeChanges(changes)}>
      <Checkbox label="Show only these documents" checked={isOnlyChanged} onChange={onChange} />
    </Notice>
  );
}

/** The adjustments to a box, which are part of it just like its transactions. */
function BoxAdjustments({ adjustments }: { adjustments: VatReturnOutput['adjustments'] }) {
  if (adjustments.length === 0) return null;
  return (
    <Stack as="ul" gap={4} aria-label="Adjustments to this box">
      {adjustments.map((adjustment) => (
        <Row as="li" key={adjustment.adjustment_id} justify="between" gap={8}>
          <Text>Adjustment: {adjustment.reason}</Text>
          <Text weight="medium">{formatPounds(adjustment.amount_pence)}</Text>
        </Row>
      ))}
    </Stack>
  );
}

/** The books may differ from a return filed elsewhere, in which case its transactions don't add up to the box. */
function FiledDifference({ data, box }: { data: VatReturnOutput; box: OpenableBox }) {
  const boxDifference = data.books_difference?.boxes.find((difference) => String(difference.box) === box);
  if (!boxDifference) return null;
  const difference = formatPounds(pence(Math.abs(boxDifference.difference_pence)));
  return (
    <Notice tone="warning" title={`Box ${box} of the filed return is ${formatPounds(boxDifference.filed_pence)}`}>
      The transactions in your books total {formatPounds(boxDifference.books_pence)}, {difference}{' '}
      {boxDifference.difference_pence > 0 ? 'less than the return' : 'more than the return'}.
    </Notice>
  );
}

/** The rows that aren't in the figures, for example "removed since approval". */
function describeOtherChanges({ since }: NonNullable<TransactionsPage['changes']>): string {
  return describeChange({ change: since === 'approval' ? 'removed' : 'added' }, since).toLowerCase();
}

function BoxTotal({ first, isPounds }: { first: TransactionsPage | undefined; isPounds: boolean }) {
  if (!first) return null;
  return (
    <Row gap={8} justify="between">
      <Text weight="bold">
        {first.rows.toLocaleString('en-GB')} {first.rows === 1 ? 'transaction' : 'transactions'}
        {first.changes !== null &&
          first.other_rows > 0 &&
          `, and ${first.other_rows.toLocaleString('en-GB')} ${describeOtherChanges(first.changes)}`}
      </Text>
      <Text weight="bold">
        Total {formatPounds(first.total_pence)}
        {isPounds && ' (rounded to whole pounds in the box)'}
      </Text>
    </Row>
  );
}
