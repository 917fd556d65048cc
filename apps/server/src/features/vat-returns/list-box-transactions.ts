/** Lists the transactions in one box, in file order, with what has changed since the figures were approved or filed. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { BOXES } from '@portal/contract/return-transactions.ts';
import type { vatReturnsApi } from '@portal/contract/vat-returns.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { pence, type Pence } from '@portal/domain/money.ts';
import { BOOKS_KINDS, type BooksKind, TREATMENTS, type Treatment } from '@portal/domain/books/books-row.ts';
import { DOCUMENT_FLAGS } from '@portal/domain/connected-books/books-document.ts';
import { findBoxRule } from '@portal/domain/vat-returns/treatment-table.ts';
import { type SQL, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { type BooksComparison, findComparison, withChanges } from './document-changes.ts';
import { getReturnSnapshot, type ObligationRow } from './get-return.ts';
import type { Taxpayer } from './taxpayer.ts';

const PAGE_SIZE = 200;

type Box = (typeof BOXES)[number];
type Output = EndpointOutput<typeof vatReturnsApi.transactions>;
type Query = {
  readonly obligation_id: string;
  readonly box: Box;
  readonly after_line: number;
  readonly search?: string | undefined;
  readonly show: 'all' | 'changed';
};

export async function listBoxTransactions(deps: AppDeps, taxpayer: Taxpayer, query: Query): Promise<Output> {
  const { db } = deps.database;
  const snapshot = await getReturnSnapshot(deps, db, taxpayer.companyId, query.obligation_id);
  const { obligation, filing, file } = snapshot;
  // A filed return shows the rows that it was filed from, even after a newer upload.
  const isFiled = filing !== undefined && filing.state !== 'refused' && filing.state !== 'not_received';
  const fileId = isFiled ? filing.fileId : file?.id;
  if (fileId === undefined)
    return { transactions: [], total_pence: pence(0), rows: 0, other_rows: 0, next_after_line: null, changes: null };
  const comparison = await findComparison(db, taxpayer, snapshot);
  // One statement, because comparing books takes most of the time. It has a row with the totals even if the page is empty.
  const { rows: totalledRows } = await db.execute<Partial<ListedRow> & Totals>(sql`
    ${withListed(obligation, fileId, comparison, query)},
    totals as (
      select (count(*) filter (where is_in_figures))::int as all_rows, (count(*) filter (where not is_in_figures))::int as other_rows,
        coalesce(sum(amount_pence), 0)::bigint as total_pence, (select count(distinct document)::int from changed) as documents
      from listed
    )
    select totals.*, page.* from totals
    left join (select * from listed where position > ${query.after_line} order by position limit ${PAGE_SIZE}) as page on true
    order by page.position`);
  const [total] = totalledRows;
  const rows = totalledRows.filter(isListed);
  return {
    transactions: rows.map((row) => toTransaction(row, comparison)),
    total_pence: total?.total_pence ?? pence(0),
    rows: total?.all_rows ?? 0,
    other_rows: total?.other_rows ?? 0,
    next_after_line: rows.length === PAGE_SIZE ? (rows.at(-1)?.position ?? null) : null,
    changes: comparison ? { since: comparison.since, at: comparison.at, documents: total?.documents ?? 0 } : null,
  };
}

/** A row as the statement below returns it. `position` continues after the return's own rows for rows that only the other books have. */
type ListedRow = {
  readonly position: number;
  readonly line: number;
  readonly date: PlainDate;
  readonly kind: BooksKind;
  readonly reference: string;
  readonly counterparty: string;
  readonly description: string;
  readonly treatment: Treatment;
  readonly net_pence: Pence;
  readonly vat_pence: Pence;
  readonly amount_pence: Pence;
  readonly flagged: boolean;
  readonly link: string | null;
  readonly document_flags: string | null;
  readonly is_in_figures: boolean;
  readonly is_changed: boolean;
  readonly other_amount: Pence | null;
};

type Totals = { readonly all_rows: number; readonly other_rows: number; readonly total_pence: Pence; readonly documents: number };

function isListed(row: Partial<ListedRow> & Totals): row is ListedRow & Totals {
  return typeof row.position === 'number';
}

/** Returns a `with` clause for the rows of a box, after which come the rows that only the books of the comparison have. */
function withListed(
  { companyId, periodStart, periodEnd }: ObligationRow,
  fileId: string,
  comparison: BooksComparison | undefined,
  query: Query,
): SQL {
  const box = Number(query.box);
  // Boxes 1, 2 and 4 sum VAT; boxes 6 to 9 sum net amounts.
  const amount = box < 6 ? sql`r.vat_pence` : sql`r.net_pence`;
  const columns = sql`r.line, r.date::text as date, r.kind, r.reference, r.counterparty, r.description, r.treatment, r.net_pence, r.vat_pence,
    r.flagged, r.link, r.document_flags`;
  const hasText = query.search ? sql`and ${containsText(query.search)}` : sql``;
  const isCompared = comparison !== undefined && comparison.shownFileId !== comparison.otherFileId;
  const changes = isCompared ? withChanges({ companyId, periodStart, periodEnd }, comparison, [query.box]) : WITHOUT_CHANGES;
  // Changed rows are found by their key, because the planner can't know how many there are.
  const selectRow = (id: string, line: SQL) => sql`lateral (
    select * from books_rows where company_id = ${companyId}::uuid and file_id = ${id}::uuid and line = ${line} offset 0) as r`;
  const selectUnchanged = sql`
      select r.line as position, ${columns}, ${amount} as amount_pence, true as is_in_figures, false as is_changed, null::bigint as other_amount
      from books_rows r
      where r.company_id = ${companyId}::uuid and r.file_id = ${fileId}::uuid and r.date between ${periodStart} and ${periodEnd}
        and (${sql.join(listRuleConditions(box), sql` or `)})
        and r.line not in (select line from changed where line is not null) ${hasText}
      union all`;
  return sql`${changes},
    listed as (
      ${query.show === 'all' ? selectUnchanged : sql``}
      select r.line as position, ${columns}, ${amount} as amount_pence, true as is_in_figures, true as is_changed, c.other_amount
      from changed c cross join ${selectRow(fileId, sql`c.line`)}
      where c.line is not null ${hasText}
      union all
      select r.line + (select coalesce(max(line), 0) from books_rows where company_id = ${companyId}::uuid and file_id = ${fileId}::uuid),
        ${columns}, 0, false, true, c.other_amount
      from changed c cross join ${selectRow(comparison?.otherFileId ?? fileId, sql`c.other_line`)}
      where c.line is null ${hasText}
    )`;
}

const WITHOUT_CHANGES = sql`with changed as (
  select null::text as document, null::int as line, null::int as other_line, null::bigint as other_amount where false)`;

/** Matches the text anywhere in a row, ignoring case. */
function containsText(text: string): SQL {
  const pattern = `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  return sql`(r.counterparty ilike ${pattern} or r.description ilike ${pattern} or r.reference ilike ${pattern})`;
}

/** Lists the kinds and treatments that count towards a box, according to the domain's box rules. */
function listRuleConditions(box: number): SQL[] {
  return BOOKS_KINDS.flatMap((kind) =>
    TREATMENTS.filter((treatment) => {
      const rule = findBoxRule(kind, treatment);
      return rule !== undefined && ([...rule.vat, ...rule.net] as number[]).includes(box);
    }).map((treatment) => sql`(r.kind = ${kind} and r.treatment = ${treatment})`),
  );
}

function toTransaction(row: ListedRow, comparison: BooksComparison | undefined): Output['transactions'][number] {
  const { is_changed: isChanged, other_amount: otherAmount, document_flags: flags } = row;
  // What only a filed return's own rows have was removed from the books since; what only the current rows have was added.
  const onlyHere = comparison?.since === 'filing' ? 'removed' : 'added';
  const onlyThere = comparison?.since === 'filing' ? 'added' : 'removed';
  const change = !row.is_in_figures ? onlyThere : otherAmount === null ? onlyHere : 'changed';
  return {
    line: row.line,
    date: row.date,
    kind: row.kind,
    reference: row.reference,
    counterparty: row.counterparty,
    description: row.description,
    treatment: row.treatment,
    net_pence: row.net_pence,
    vat_pence: row.vat_pence,
    amount_pence: row.amount_pence,
    flagged: row.flagged,
    link: row.link,
    is_in_figures: row.is_in_figures,
    document_flags: DOCUMENT_FLAGS.filter((flag) => flags?.split(' ').includes(flag) === true),
    change: isChanged ? change : null,
    other_amount_pence: otherAmount,
  };
}
