/** The stored copy of the bookkeeping software's objects. Books can be derived from it again without another read. */
import type { Db, Tx } from '@portal/db/database.ts';
import { splitJoinedTexts } from '@portal/db/joined-texts.ts';
import { booksObjects, booksReads } from '@portal/db/schema/schema.ts';
import { and, asc, eq, gt, inArray, lt, sql, type SQL } from '@portal/db/sql.ts';
import type { BooksCopy, BooksResource, CopiedObject } from '@portal/providers/connected-books/books-provider.ts';
import { readAhead } from './read-ahead.ts';

const PAGE_SIZE = 2_000;

type CopiedPage = { readonly resource: string; readonly isWhole: boolean; readonly objects: readonly CopiedObject[] };
type BooksRead = Pick<typeof booksReads.$inferSelect, 'companyId' | 'readId' | 'number'>;
type Place = Pick<typeof booksReads.$inferSelect, 'resource' | 'page' | 'objects'>;

/** `isExact`: each object was stored as it was read. */
type SavedPage = { readonly isExact: boolean };

/**
 * Stores a page together with the place of the next one, in one statement. Returns undefined, and stores nothing, if another read has since
 * begun or the books were disconnected. Documents are stored as text, because only the mapping looks into them. The settings stay `jsonb`,
 * so that a portal of an earlier version that takes over a read knows whether the books can be used at all.
 */
export async function savePage(
  db: Db | Tx,
  read: BooksRead,
  place: Place,
  { resource, isWhole, objects }: CopiedPage,
): Promise<SavedPage | undefined> {
  // A list that changes while it is being read can contain an object twice.
  const uniqueObjects = new Map(objects.map(({ id, value }) => [toStorableId(id), value]));
  const ids = splitJoinedTexts([...uniqueObjects.keys()]);
  let isExact = uniqueObjects.size === objects.length;
  const texts = [...uniqueObjects.values()].map((value) => {
    const json = JSON.stringify(value);
    const storable = toStorableJson(json);
    if (storable !== json) isExact = false;
    return storable;
  });
  const bodies = splitJoinedTexts(texts);
  const result = await db.execute(sql`
    with progress as (
      update ${booksReads} set resource = ${place.resource}, page = ${place.page}::int, objects = ${place.objects}::int, waits_until = null
      where company_id = ${read.companyId}::uuid and read_id = ${read.readId}::uuid and status = 'reading'
      returning company_id
    ), saved as (
      insert into ${booksObjects} (company_id, resource, object_id, ${isWhole ? sql`value` : sql`body`}, read_number)
      select progress.company_id, ${resource}, id, ${isWhole ? sql`body::jsonb` : sql`body`}, ${read.number}::int
      from progress, rows from (${ids}, ${bodies}) with ordinality as page(id, body, position)
      where position <= ${uniqueObjects.size}::int
      on conflict (company_id, resource, object_id) do update
        set value = excluded.value, body = excluded.body, read_number = excluded.read_number
    )
    select company_id from progress`);
  return result.rows.length > 0 ? { isExact } : undefined;
}

/** PostgreSQL's text type allows neither NUL nor lone surrogates, but bookkeeping software accepts them. */
function toStorableJson(json: string): string {
  return json.includes('\\u') ? json.replaceAll(/(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/g, '$1\ufffd') : json;
}

/** As stored: without what the type doesn't allow, and without the separator of joined texts, so that two ids can't become equal later. */
const toStorableId = (id: string): string => id.toWellFormed().replaceAll('\0', '\ufffd').replaceAll('\u001f', '\ufffd');

/** Matches objects of these resources that no read has seen since `number`. */
function isUnseenSince(companyId: string, resources: readonly string[], number: number) {
  return and(eq(booksObjects.companyId, companyId), inArray(booksObjects.resource, [...resources]), lt(booksObjects.readNumber, number));
}

export async function hasUnseenObjects(db: Db, companyId: string, resources: readonly string[], number: number): Promise<boolean> {
  const [unseenObject] = await db
    .select({ id: booksObjects.objectId })
    .from(booksObjects)
    .where(isUnseenSince(companyId, resources, number))
    .limit(1);
  return unseenObject !== undefined;
}

/** Deletes objects that complete reads of these resources haven't seen, because the software no longer has them. */
export async function deleteUnseenObjects(tx: Tx, companyId: string, resources: readonly string[], number: number): Promise<void> {
  await tx.delete(booksObjects).where(isUnseenSince(companyId, resources, number));
}

/** Opens the stored copy. With `onlyResources`, the other resources are empty. */
export function openBooksCopy(db: Db, companyId: string, onlyResources?: readonly BooksResource[]): BooksCopy {
  return {
    pages: (resource) => readAhead(readCopy(db, companyId, resource, onlyResources)),
  };
}

/** Reads a page as one text: a row for each object takes twice as long to fetch and parse. */
async function* readCopy(
  db: Db,
  companyId: string,
  resource: string,
  onlyResources: readonly BooksResource[] | undefined,
): AsyncGenerator<unknown[]> {
  if (onlyResources && !onlyResources.some(({ name }) => name === resource)) return;
  for (let afterId: string | null = ''; afterId !== null;) {
    const isNext: SQL = gt(booksObjects.objectId, afterId);
    const page = db
      .select({ id: booksObjects.objectId, text: sql<string>`coalesce(${booksObjects.value}::text, ${booksObjects.body})`.as('text') })
      .from(booksObjects)
      .where(and(eq(booksObjects.companyId, companyId), eq(booksObjects.resource, resource), isNext))
      .orderBy(asc(booksObjects.objectId))
      .limit(PAGE_SIZE)
      .as('page');
    const [row]: readonly { texts: string | null; lastId: string | null }[] = await db
      .select({
        texts: sql<string | null>`string_agg(${page.text}, ',' order by ${page.id})`,
        lastId: sql<string | null>`case when count(*) = ${PAGE_SIZE}::int then max(${page.id}) end`,
      })
      .from(page);
    if (row && row.texts !== null) yield JSON.parse(`[${row.texts}]`) as unknown[];
    afterId = row?.lastId ?? null;
  }
}
