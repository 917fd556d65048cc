/** The postings with their lines as a journal, newest first. Older ones load on click. */
import { formatPounds } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { MEDIA_BELOW, useMediaQuery } from '../../lib/use-media-query.ts';
import { Button } from '../../ui/button.tsx';
import { InstantText } from '../../components/formats/date-text.tsx';
import { Stack } from '../../ui/layout.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Table, TableHead } from '../../ui/table.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import type { Ledger, Posting } from './operator-outputs.ts';
import styles from './postings-card.module.css';

type AccountNames = ReadonlyMap<string, string>;

type PostingsCardProps = {
  postings: readonly Posting[];
  accounts: Ledger['accounts'];
  isLoadingMore: boolean;
  loadMore: (() => void) | undefined;
};

export function PostingsCard({ postings, accounts, isLoadingMore, loadMore }: PostingsCardProps) {
  const isNarrow = useMediaQuery(MEDIA_BELOW.md);
  const names = new Map(accounts.map((account) => [account.account, account.name]));
  const Postings = isNarrow ? PostingList : PostingTable;
  return (
    <SectionCard title="Postings">
      {postings.length === 0 ? (
        <Text>No postings match. The first payout creates one.</Text>
      ) : (
        <Postings postings={postings} names={names} />
      )}
      {loadMore && (
        <Button variant="outlined" className={styles.more} onClick={loadMore} isBusy={isLoadingMore}>
          Show older postings
        </Button>
      )}
    </SectionCard>
  );
}

function Description({ posting }: { posting: Posting }) {
  return (
    <>
      <Text weight="medium">{posting.description}</Text>
      <Text size="small" tone="quiet">
        <TextLink to={getPageLink('adminCompany', { company_id: posting.company_id })}>{posting.company_name}</TextLink> · No.&nbsp;
        {posting.position} · posted <InstantText at={posting.posted_at} />
        {posting.advance_id !== null && (
          <>
            {' '}
            ·{' '}
            <TextLink to={getPageLink('adminAdvance', { company_id: posting.company_id, advance_id: posting.advance_id })}>
              Advance
            </TextLink>
          </>
        )}
      </Text>
    </>
  );
}

function PostingTable({ postings, names }: { postings: readonly Posting[]; names: AccountNames }) {
  return (
    <Table label="Postings" dense flush className={styles.table}>
      <TableHead columns={['Date', 'Posting', 'Account', { numeric: 'Debit' }, { numeric: 'Credit' }]} />
      {postings.map((posting) => (
        <tbody key={posting.position} className={styles.posting}>
          {posting.lines.map((line, index) => (
            <tr key={line.account}>
              {index === 0 && (
                <>
                  <td rowSpan={posting.lines.length} data-nowrap>
                    {formatDate(posting.on, 'short')}
                  </td>
                  <td rowSpan={posting.lines.length}>
                    <Description posting={posting} />
                  </td>
                </>
              )}
              <td>{names.get(line.account) ?? line.account}</td>
              <td data-numeric>{line.debit_pence > 0 && formatPounds(line.debit_pence)}</td>
              <td data-numeric>{line.credit_pence > 0 && formatPounds(line.credit_pence)}</td>
            </tr>
          ))}
        </tbody>
      ))}
    </Table>
  );
}

function PostingList({ postings, names }: { postings: readonly Posting[]; names: AccountNames }) {
  return (
    <Stack as="ol" gap={0} aria-label="Postings" className={styles.list}>
      {postings.map((posting) => (
        <li key={posting.position}>
          <Text size="small" tone="quiet">
            {formatDate(posting.on, 'short')}
          </Text>
          <Description posting={posting} />
          <Stack as="ul" gap={4} className={styles.lines}>
            {posting.lines.map((line) => (
              <li key={line.account}>
                <span className={styles.side}>{line.debit_pence > 0 ? 'Dr' : 'Cr'}</span>
                <span>{names.get(line.account) ?? line.account}</span>
                <span className={styles.amount}>{formatPounds(line.debit_pence > 0 ? line.debit_pence : line.credit_pence)}</span>
              </li>
            ))}
          </Stack>
        </li>
      ))}
    </Stack>
  );
}
