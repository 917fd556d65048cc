/** The stored copy of the bookkeeping software's objects. Books can be derived from it again without another read. */
import type { Db, Tx } from '@portal/db/database.ts';
import { booksObjects } from '@portal/db/schema/schema.ts';
import { and, asc, eq, gt, inArray, lt, sql } from '@portal/db/sql.ts';
import type { BooksCopy, BooksResource, CopiedObject } from '@portal/providers/connected-books/books-provider.ts';

const PAGE_SIZE = 2_000;

/** Uses one statement for a page of any size: the objects are sent as one JSON parameter. */
export async function saveObjects(
  tx: Tx,
  { companyId, resource, number }: { readonly companyId: string; readonly resource: string; readonly number: number },
  objects: readonly CopiedObject[],
): Promise<void> {
  // A list that changes while it is being read can contain an object twice.
  const uniqueObjects = [...new Map(objects.map((object) => [object.id, object])).values()];
  if (uniqueObjects.length === 0) return;
  await tx.execute(sql`
    insert into ${booksObjects} (company_id, resource, object_id, value, read_number)
    select ${companyId}::uuid, ${resource}, id, value, ${number}::int
    from jsonb_to_recordset(${toStorableJson(uniqueObjects)}::jsonb) as r(id text, value jsonb)
    on conflict (company_id, resource, object_id) do update set value = excluded.value, read_number = excluded.read_number`);
}

/** PostgreSQL's text type allows neither NUL nor lone surrogates, but bookkeeping software accepts them. */
function toStorableJson(value: unknown): string {
  const valueJson = JSON.stringify(value);
  return valueJson.includes('\\u') ? valueJson.replaceAll(/(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/g, '$1\ufffd') : valueJson;
}

/** Matches objects of these resources that no read has seen since `number`. */
function isUnseenSince(companyId: string, resources: readonly string[], number: number) {
  return and(eq(booksObjects.companyId, companyId), inArray(booksObjects.resource, [...resources]), lt(booksObjects.readNumber, number));
}

export async function hasUnseenObjects(db: Db, companyId: string, resources: readonly string[], number: number): Promise<boolean> {
  const [unseen] = await db
    .select({ id: booksObjects.objectId })
    .from(booksObjects)
    .where(isUnseenSince(companyId, resources, number))
    .limit(1);
  return unseen !== undefined;
}

/** Deletes objects that complete reads of these resources haven't seen, because the software no longer has them. */
export async function deleteUnseenObjects(tx: Tx, companyId: string, resources: readonly string[], number: number): Promise<void> {
  await tx.delete(booksObjects).where(isUnseenSince(companyId, resources, number));
}

/** `only` leaves the other resources empty. */
export function openBooksCopy(db: Db, companyId: string, onlyResources?: readonly BooksResource[]): BooksCopy {
  return {
    async *pages(resource) {
      if (onlyResources && !onlyResources.some(({ name }) => name === resource)) return;
      for (let afterKey = ''; ;) {
        const rows = await db
          .select({ id: booksObjects.objectId, value: booksObjects.value })
          .from(booksObjects)
          .where(and(eq(booksObjects.companyId, companyId), eq(booksObjects.resource, resource), gt(booksObjects.objectId, afterKey)))
          .orderBy(asc(booksObjects.objectId))
          .limit(PAGE_SIZE);
        if (rows.length > 0) yield rows.map(({ value }) => value);
        const last = rows.at(-1);
        if (!last || rows.length < PAGE_SIZE) return;
        afterKey = last.id;
      }
    },
  };
}
