/**
 * Finds the documents of a return that have changed since its figures were approved or filed. The books that an approval or a filing was
 * made from are kept, so they are compared with the current ones when someone looks (docs/decisions/0088-changed-documents.md).
 */
import { BOXES, type ReturnChanges } from '@portal/contract/return-transactions.ts';
import type { Db } from '@portal/db/database.ts';
import { booksFiles, booksRows, type filings, type obligations, returnApprovals } from '@portal/db/schema/schema.ts';
import { and, desc, eq, inArray, isNotNull, type SQL, sql } from '@portal/db/sql.ts';
import { BOOKS_KINDS, TREATMENTS } from '@portal/domain/books/books-row.ts';
import type { Instant } from '@portal/domain/clock.ts';
import type { ReturnState } from '@portal/domain/vat-returns/return-state.ts';
import { findBoxRule } from '@portal/domain/vat-returns/treatment-table.ts';
import type { Taxpayer } from './taxpayer.ts';

type Box = (typeof BOXES)[number];

/** What a comparison needs of a return (get-return.ts). */
type ComparedReturn = {
  readonly obligation: typeof obligations.$inferSelect;
  readonly filing: typeof filings.$inferSelect | undefined;
  readonly figures: object | undefined;
  readonly file: typeof booksFiles.$inferSelect | undefined;
  readonly state: ReturnState;
};

/**
 * `shownFileId`: the books that the return's figures come from. `otherFileId`: those that they are compared with, which are the approved
 * ones or, for a filed return, the current ones.
 */
export type BooksComparison = {
  readonly since: 'approval' | 'filing';
  readonly at: Instant;
  readonly shownFileId: string;
  readonly otherFileId: string;
  /** False if a file was uploaded, or the books come from different organisations. Documents are then recognised by their reference. */
  readonly hasDocumentIds: boolean;
};

/** Returns undefined if the figures were never approved, or there is nothing of this period to compare them with. */
export async function findComparison(db: Db, taxpayer: Taxpayer, snapshot: ComparedReturn): Promise<BooksComparison | undefined> {
  const { filing, figures, file, state } = snapshot;
  if (!figures || !file || state === 'filed_elsewhere') return undefined;
  if (filing && filing.state !== 'refused' && filing.state !== 'not_received') {
    return compare(db, snapshot, { since: 'filing', at: filing.sentAt, shownFileId: filing.fileId, otherFileId: file.id });
  }
  // A trader approves figures by filing them, even if HMRC then refuses the return.
  const approvedFigures =
    taxpayer.practiceId === null
      ? filing && { fileId: filing.fileId, at: filing.sentAt }
      : await findApprovedFigures(db, taxpayer, snapshot);
  return (
    approvedFigures &&
    compare(db, snapshot, { since: 'approval', at: approvedFigures.at, shownFileId: file.id, otherFileId: approvedFigures.fileId })
  );
}

/** Finds the books behind the client's last approval, whether or not it is still valid. */
async function findApprovedFigures(db: Db, { companyId: clientId, practiceId }: Taxpayer, { obligation }: ComparedReturn) {
  const [approval] = await db
    .select({ fileId: returnApprovals.fileId, decidedAt: returnApprovals.decidedAt })
    .from(returnApprovals)
    .where(
      and(
        eq(returnApprovals.companyId, practiceId ?? ''),
        eq(returnApprovals.clientId, clientId),
        eq(returnApprovals.obligationId, obligation.id),
        isNotNull(returnApprovals.decidedAt),
      ),
    )
    .orderBy(desc(returnApprovals.decidedAt))
    .limit(1);
  return approval?.fileId && approval.decidedAt ? { fileId: approval.fileId, at: approval.decidedAt } : undefined;
}

async function compare(
  db: Db,
  { obligation }: ComparedReturn,
  books: Omit<BooksComparison, 'hasDocumentIds'>,
): Promise<BooksComparison | undefined> {
  const { companyId } = obligation;
  const ids = [books.shownFileId, books.otherFileId] as const;
  const files = await db
    .select({ id: booksFiles.id, source: booksFiles.source, organisationId: booksFiles.organisationId, documentId: booksRows.documentId })
    .from(booksFiles)
    .leftJoin(booksRows, and(eq(booksRows.companyId, companyId), eq(booksRows.fileId, booksFiles.id), eq(booksRows.line, 1)))
    .where(and(eq(booksFiles.companyId, companyId), inArray(booksFiles.id, [...ids])));
  const [shownFile, other] = ids.map((id) => files.find((file) => file.id === id));
  if (!shownFile || !other) return undefined;
  const isSameOrganisation =
    shownFile.source !== null && shownFile.source === other.source && shownFile.organisationId === other.organisationId;
  const hasDocumentIds = isSameOrganisation && shownFile.documentId !== null && other.documentId !== null;
  // Books read from one organisation are whole. A file may be of another period.
  const isComparable = hasDocumentIds || books.shownFileId === books.otherFileId || (await haveCommonRow(db, obligation, ids));
  return isComparable ? { ...books, hasDocumentIds } : undefined;
}

type Period = Pick<typeof obligations.$inferSelect, 'companyId' | 'periodStart' | 'periodEnd'>;

/**
 * Books without a single row that the others have in this period don't cover it, such as the next quarter's file with a late row: nothing
 * was removed from it. Compares sorted lists, because new books have no statistics yet.
 */
async function haveCommonRow(db: Db, period: Period, ids: readonly [string, string]): Promise<boolean> {
  const [one, other] = ids.map((id) => selectRowsOfPeriod(period, id));
  const { rows } = await db.execute<{ found: boolean }>(sql`select exists (${one} intersect ${other}) as found`);
  return rows[0]?.found === true;
}

/** What makes two rows of a period equal, here and for the corrections of errors (late-row-queries.ts). */
export const ROW_IDENTITY = sql.raw('date, kind, reference, counterparty, net_pence, vat_pence, treatment');

const selectRowsOfPeriod = ({ companyId, periodStart, periodEnd }: Period, fileId: string): SQL => sql`
  select ${ROW_IDENTITY} from books_rows
  where company_id = ${companyId}::uuid and file_id = ${fileId}::uuid and date between ${periodStart} and ${periodEnd}`;

/** Counts the changed documents of a return, and of each box. */
export async function countChanges(
  db: Db,
  { obligation }: Pick<ComparedReturn, 'obligation'>,
  comparison: BooksComparison | undefined,
): Promise<ReturnChanges | null> {
  if (!comparison) return null;
  const { since, at, shownFileId, otherFileId } = comparison;
  if (shownFileId === otherFileId) return { since, at, documents: 0, boxes: [] };
  const { rows } = await db.execute<{ box: number | null; documents: number }>(sql`
    ${withChanges(obligation, comparison, BOXES)}
    select box, count(distinct document)::int as documents from changed group by grouping sets ((box), ()) order by box nulls first`);
  const boxes = BOXES.flatMap((box) => {
    const documents = rows.find((row) => row.box === Number(box))?.documents ?? 0;
    return documents === 0 ? [] : [{ box, documents }];
  });
  return { since, at, documents: rows.find(({ box }) => box === null)?.documents ?? 0, boxes };
}

/**
 * Returns a `with` clause whose `changed` has a row for each row of a document that adds another amount to a box than before. `line` is in
 * the return's own books, `other_line` in those that they are compared with; one of them is null if only the other has the row.
 */
export function withChanges(
  { companyId, periodStart, periodEnd }: Pick<ComparedReturn['obligation'], 'companyId' | 'periodStart' | 'periodEnd'>,
  { shownFileId, otherFileId, hasDocumentIds }: BooksComparison,
  boxes: readonly Box[],
): SQL {
  const document = hasDocumentIds ? sql`document_id` : NAME_IN_FILE;
  // Equal amounts of a document are paired off first. What is left of it on both sides has changed; the rest was added or removed. This sorts
  // and groups rather than joins: new books have no statistics yet, and PostgreSQL would then compare each row with each other one.
  return sql`with
    rule as (select * from jsonb_to_recordset(${JSON.stringify(listRules(boxes))}::jsonb) as r(kind text, treatment text, box int)),
    part as (
      select is_shown, line, box, document, amount,
        row_number() over (partition by box, document, amount, is_shown order by line) as repeat
      from (
        select file_id = ${shownFileId}::uuid as is_shown, line, box, (${document}) collate "C" as document,
          case when box < 6 then vat_pence else net_pence end as amount
        from books_rows join rule using (kind, treatment)
        where company_id = ${companyId}::uuid and file_id in (${shownFileId}::uuid, ${otherFileId}::uuid)
          and date between ${periodStart} and ${periodEnd}
      ) as row_part
    ),
    unpaired as (
      select is_shown, line, box, document, amount, row_number() over (partition by box, document, is_shown order by line) as place
      from (select part.*, count(*) over (partition by box, document, amount, repeat) as sides from part) as counted
      where sides = 1
    ),
    changed as materialized (
      select box, document, max(line) filter (where is_shown) as line, max(line) filter (where not is_shown) as other_line,
        max(amount) filter (where not is_shown) as other_amount
      from unpaired
      group by box, document, place
      having coalesce(max(amount) filter (where is_shown), 0) <> coalesce(max(amount) filter (where not is_shown), 0)
    )`;
}

/** What identifies a document in an uploaded file: its reference and counterparty, or without a reference everything but its amounts. */
const NAME_IN_FILE = sql`case when reference <> '' then concat_ws(E'\n', kind, reference, counterparty)
  else concat_ws(E'\n', kind, date, counterparty, description, treatment) end`;

/** The kinds and treatments that count towards each box, according to the domain's box rules. */
function listRules(boxes: readonly Box[]): { kind: string; treatment: string; box: number }[] {
  return BOOKS_KINDS.flatMap((kind) =>
    TREATMENTS.flatMap((treatment) => {
      const rule = findBoxRule(kind, treatment);
      const ruleBoxes: number[] = rule ? [...rule.vat, ...rule.net] : [];
      return boxes
        .map(Number)
        .filter((box) => ruleBoxes.includes(box))
        .map((box) => ({ kind, treatment, box }));
    }),
  );
}
