/** Lists the transactions in one box, in file order. */
import type { BOXES, vatReturnsApi } from '@portal/contract/vat-returns.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { booksRows } from '@portal/db/schema/schema.ts';
import { pence } from '@portal/domain/money.ts';
import { listBoxContributions } from '@portal/domain/vat-returns/box-contributions.ts';
import { BOOKS_KINDS, TREATMENTS, type Treatment } from '@portal/domain/books/books-row.ts';
import { DOCUMENT_FLAGS } from '@portal/domain/connected-books/books-document.ts';
import { findBoxRule } from '@portal/domain/vat-returns/treatment-table.ts';
import { and, asc, between, eq, gt, ilike, or, sql, type SQL } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { getReturnSnapshot } from './get-return.ts';

const PAGE_SIZE = 200;

type Box = (typeof BOXES)[number];
type Output = EndpointOutput<typeof vatReturnsApi.transactions>;

export async function listBoxTransactions(
  deps: AppDeps,
  companyId: string,
  query: { obligation_id: string; box: Box; after_line: number; search?: string | undefined },
): Promise<Output> {
  const { db } = deps.database;
  const { obligation, filing, file } = await getReturnSnapshot(deps, db, companyId, query.obligation_id);
  // A filed return shows the rows that it was filed from, even after a newer upload.
  const isFiled = filing !== undefined && filing.state !== 'refused' && filing.state !== 'not_received';
  const fileId = isFiled ? filing.fileId : file?.id;
  if (fileId === undefined) return { transactions: [], total_pence: pence(0), rows: 0, next_after_line: null };
  const box = Number(query.box);
  const isInBox = and(
    eq(booksRows.companyId, companyId),
    eq(booksRows.fileId, fileId),
    between(booksRows.date, obligation.periodStart, obligation.periodEnd),
    or(...listRuleConditions(box)),
    query.search ? containsText(query.search) : undefined,
  );
  const amount = isVatBox(box) ? booksRows.vatPence : booksRows.netPence;
  const [totals] = await db
    .select({ rows: sql`count(*)`.mapWith(Number), sum: sql`coalesce(sum(${amount}), 0)`.mapWith(Number) })
    .from(booksRows)
    .where(isInBox);
  const rows = await db
    .select()
    .from(booksRows)
    .where(and(isInBox, gt(booksRows.line, query.after_line)))
    .orderBy(asc(booksRows.line))
    .limit(PAGE_SIZE);
  return {
    transactions: rows.map((row) => toTransaction(row, box)),
    total_pence: pence(totals?.sum ?? 0),
    rows: totals?.rows ?? 0,
    next_after_line: rows.length === PAGE_SIZE ? (rows.at(-1)?.line ?? null) : null,
  };
}

/** Matches the text anywhere in a row, ignoring case. */
function containsText(text: string): SQL | undefined {
  const pattern = `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  return or(ilike(booksRows.counterparty, pattern), ilike(booksRows.description, pattern), ilike(booksRows.reference, pattern));
}

/** Lists the kinds and treatments that count towards a box, according to the domain's box rules. */
function listRuleConditions(box: number): (SQL | undefined)[] {
  return BOOKS_KINDS.flatMap((kind) =>
    TREATMENTS.filter((treatment) => {
      const rule = findBoxRule(kind, treatment);
      return rule !== undefined && ([...rule.vat, ...rule.net] as number[]).includes(box);
    }).map((treatment) => and(eq(booksRows.kind, kind), eq(booksRows.treatment, treatment))),
  );
}

/** Boxes 1, 2 and 4 sum VAT; boxes 6 to 9 sum net amounts. */
function isVatBox(box: number): boolean {
  return box < 6;
}

function toTransaction(row: typeof booksRows.$inferSelect, box: number): Output['transactions'][number] {
  const contribution = listBoxContributions({
    kind: row.kind,
    treatment: row.treatment as Treatment,
    net_pence: row.netPence,
    vat_pence: row.vatPence,
  }).find((part) => Number(part.box) === box);
  return {
    line: row.line,
    date: row.date,
    kind: row.kind,
    reference: row.reference,
    counterparty: row.counterparty,
    description: row.description,
    treatment: row.treatment as Treatment,
    net_pence: row.netPence,
    vat_pence: row.vatPence,
    amount_pence: contribution?.amount_pence ?? pence(0),
    flagged: row.flagged,
    link: row.link,
    document_flags: DOCUMENT_FLAGS.filter((flag) => row.documentFlags?.split(' ').includes(flag) === true),
  };
}
