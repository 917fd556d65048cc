/** Writes the rows and drafts of bookkeeping software, thousands at a time. */
import type { Db } from '@portal/db/database.ts';
import { splitJoinedTexts } from '@portal/db/joined-texts.ts';
import { booksDrafts, booksRows } from '@portal/db/schema/schema.ts';
import { sql } from '@portal/db/sql.ts';
import type { ConnectedRow, DraftDocument } from '@portal/domain/connected-books/to-books-rows.ts';

type FindDocumentLink = (documentId: string, type: string) => string | null;

const BATCH_SIZE = 2_000;
/** The database stores one batch while the next one is prepared. */
const MAX_BATCHES_AT_ONCE = 2;

export async function insertRows(
  db: Db,
  { companyId, fileId }: { readonly companyId: string; readonly fileId: string },
  rows: readonly ConnectedRow[],
  toLink: FindDocumentLink,
  signal: AbortSignal,
): Promise<void> {
  const running: Promise<void>[] = [];
  for (let start = 0; start < rows.length; start += BATCH_SIZE) {
    signal.throwIfAborted();
    if (running.length === MAX_BATCHES_AT_ONCE) await running.shift();
    const batch = insertBatch(db, companyId, fileId, rows.slice(start, start + BATCH_SIZE), toLink);
    // It is thrown when it is awaited; until then, it mustn't count as unhandled.
    batch.catch(() => undefined);
    running.push(batch);
  }
  await Promise.all(running);
}

async function insertBatch(
  db: Db,
  companyId: string,
  fileId: string,
  rows: readonly ConnectedRow[],
  toLink: FindDocumentLink,
): Promise<void> {
  const splitTexts = (toText: (row: ConnectedRow) => string | number) => splitJoinedTexts(rows.map((row) => String(toText(row))));
  await db.execute(sql`
    insert into ${booksRows} (company_id, file_id, line, date, kind, reference, counterparty, description, net_pence, vat_pence, treatment,
      document_id, link, document_flags)
    select ${companyId}::uuid, ${fileId}::uuid, line::int, date::date, kind, reference, counterparty, description, net_pence::bigint,
      vat_pence::bigint, treatment, document_id, nullif(link, ''), nullif(flags, '')
    from rows from (
      ${splitTexts(({ line }) => line)}, ${splitTexts(({ date }) => date)}, ${splitTexts(({ kind }) => kind)},
      ${splitTexts(({ reference }) => reference)}, ${splitTexts(({ counterparty }) => counterparty)}, ${splitTexts(({ description }) => description)},
      ${splitTexts(({ net_pence }) => net_pence)}, ${splitTexts(({ vat_pence }) => vat_pence)}, ${splitTexts(({ treatment }) => treatment)},
      ${splitTexts(({ documentId }) => documentId)}, ${splitTexts(({ documentId, type }) => toLink(documentId, type) ?? '')}, ${splitTexts(({ flags }) => flags.join(' '))}
    ) as r(line, date, kind, reference, counterparty, description, net_pence, vat_pence, treatment, document_id, link, flags)
    limit ${rows.length}::int`);
}

export async function insertDrafts(
  db: Db,
  companyId: string,
  fileId: string,
  drafts: readonly DraftDocument[],
  toLink: FindDocumentLink,
): Promise<void> {
  const json = JSON.stringify(
    drafts.map(({ documentId, type, ...draft }, index) => ({ ...draft, type, line: index + 1, link: toLink(documentId, type) })),
  );
  await db.execute(sql`
    insert into ${booksDrafts} (company_id, file_id, line, date, type, reference, counterparty, net_pence, vat_pence, link)
    select ${companyId}::uuid, ${fileId}::uuid, line, date, type, reference, counterparty, net_pence, vat_pence, link
    from jsonb_to_recordset(${json}::jsonb) as r(
      line int, date date, type text, reference text, counterparty text, net_pence bigint, vat_pence bigint, link text)`);
}
