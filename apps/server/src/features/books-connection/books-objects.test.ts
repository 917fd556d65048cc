import { randomUUID } from 'node:crypto';
import { booksObjects, booksReads } from '@portal/db/schema/schema.ts';
import { asc, eq, sql } from '@portal/db/sql.ts';
import { openTestDatabase } from '@portal/db/testing/open-test-database.ts';
import { toInstant } from '@portal/domain/clock.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '@portal/db/database.ts';
import { openBooksCopy, savePage } from './books-objects.ts';
import { combinePages } from './combine-pages.ts';
import { readAhead } from './read-ahead.ts';

let database: Database;
beforeAll(async () => void (database = await openTestDatabase()));
afterAll(() => database.close());

const PLACE = { resource: 'Invoices', page: 2, objects: 1 };

async function startTestRead() {
  const read = { companyId: randomUUID(), readId: randomUUID(), number: 1 };
  const startedAt = toInstant(Date.parse('2026-11-10T09:00:00.000Z'));
  await database.db.insert(booksReads).values({ ...read, status: 'reading', isFull: true, startedAt, resource: '', page: 1, objects: 0 });
  return read;
}

const toPage = (objects: readonly { readonly id: string; readonly value: unknown }[]) => ({
  resource: 'Invoices',
  isWhole: false,
  objects,
});

async function readCopies(companyId: string): Promise<unknown[]> {
  const objects: unknown[] = [];
  for await (const page of openBooksCopy(database.db, companyId).pages('Invoices')) objects.push(...page);
  return objects;
}

describe('the stored copy of the software’s objects', () => {
  it('returns all objects in the order of their ids, each once, as they were last read', async () => {
    const read = await startTestRead();
    const toObject = (total: number) => (index: number) => {
      const id = String(index).padStart(5, '0');
      return { id, value: { id, total, note: null, lines: [{ amount: '1.50' }] } };
    };
    const ids = Array.from({ length: 4_001 }, (_, index) => index);
    for (const start of [0, 1_500, 3_000]) {
      await savePage(database.db, read, PLACE, toPage(ids.slice(start, start + 1_500).map(toObject(1))));
    }
    await savePage(database.db, read, PLACE, toPage([...ids.slice(0, 2), ...ids.slice(0, 2)].map(toObject(2))));
    expect(await readCopies(read.companyId)).toEqual(ids.map((index) => toObject(index < 2 ? 2 : 1)(index).value));
  });

  it('keeps text that the database or the statement could misread', async () => {
    const read = await startTestRead();
    const texts = ['', 'a\u001fb', '{a,"b"}', 'line\nbreak', '\\u0000', 'Nul\u0000 half\uD83D'];
    await savePage(database.db, read, PLACE, toPage(texts.map((text, index) => ({ id: `${index} ${text}`, value: { text } }))));
    expect(await readCopies(read.companyId)).toEqual([...texts.slice(0, -1), 'Nul\ufffd half\ufffd'].map((text) => ({ text })));
  });

  it('stores an object with an empty ID that is the only one on its page', async () => {
    const read = await startTestRead();
    await savePage(database.db, read, PLACE, toPage([{ id: '', value: { total: 1 } }]));
    expect(await database.db.select().from(booksObjects).where(eq(booksObjects.companyId, read.companyId))).toMatchObject([
      { objectId: '', body: { total: 1 } },
    ]);
  });

  it('stores two ids that are the same text once stored as one object', async () => {
    const read = await startTestRead();
    await savePage(database.db, read, PLACE, toPage(['a\u001f', 'a\ufffd'].map((id) => ({ id, value: {} }))));
    expect(await database.db.select().from(booksObjects).where(eq(booksObjects.companyId, read.companyId))).toMatchObject([
      { objectId: 'a\ufffd' },
    ]);
  });

  it('contains objects that a portal of an earlier version stored, before or since', async () => {
    const read = await startTestRead();
    await savePage(database.db, read, PLACE, toPage([{ id: '2', value: { total: 1 } }]));
    for (const [id, total] of [
      ['1', 10],
      ['2', 20],
      ['3', 30],
    ] as const) {
      await database.db.execute(sql`
        insert into ${booksObjects} (company_id, resource, object_id, value, read_number)
        values (${read.companyId}::uuid, 'Invoices', ${id}, ${JSON.stringify({ total })}::jsonb, 1)
        on conflict (company_id, resource, object_id) do update set value = excluded.value`);
    }
    expect(await readCopies(read.companyId)).toEqual([{ total: 10 }, { total: 20 }, { total: 30 }]);
    await savePage(database.db, read, PLACE, toPage([{ id: '3', value: { total: 31 } }]));
    expect(await readCopies(read.companyId)).toEqual([{ total: 10 }, { total: 20 }, { total: 31 }]);
  });

  it('keeps settings where an earlier version reads them', async () => {
    const read = await startTestRead();
    await savePage(database.db, read, PLACE, { ...toPage([{ id: '0', value: { Name: 'Tess' } }]), isWhole: true });
    const [storedObject] = await database.db.select().from(booksObjects).where(eq(booksObjects.companyId, read.companyId));
    expect(storedObject).toMatchObject({ value: { Name: 'Tess' }, body: null });
  });

  it('stores a page with the cursor of the next one, and neither if another read has started', async () => {
    const read = await startTestRead();
    const page = toPage([{ id: '1', value: { total: 1 } }]);
    expect(await savePage(database.db, read, PLACE, page)).toEqual({ isExact: true });
    const earlierRead = { ...read, readId: randomUUID() };
    expect(await savePage(database.db, earlierRead, { ...PLACE, page: 9 }, toPage([{ id: '2', value: { total: 2 } }]))).toBeUndefined();
    const ofCompany = eq(booksReads.companyId, read.companyId);
    expect(await database.db.select().from(booksReads).where(ofCompany)).toMatchObject([{ resource: 'Invoices', page: 2, objects: 1 }]);
    const storedObjects = await database.db
      .select({ id: booksObjects.objectId })
      .from(booksObjects)
      .where(eq(booksObjects.companyId, read.companyId))
      .orderBy(asc(booksObjects.objectId));
    expect(storedObjects).toEqual([{ id: '1' }]);
  });
});

describe('reading ahead', () => {
  async function* failAfter(pages: number, requestedPages: number[]): AsyncGenerator<number> {
    for (let page = 1; page <= pages; page += 1) {
      requestedPages.push(page);
      yield page;
    }
    throw new Error('429');
  }

  it('requests the next page while one is used, and returns each before the error of the one after it', async () => {
    const [requestedPages, usedPages]: [number[], number[]] = [[], []];
    const readAll = async () => {
      for await (const page of readAhead(failAfter(3, requestedPages))) {
        usedPages.push(page);
        expect(requestedPages.at(-1)).toBe(Math.min(page + 1, 3));
      }
    };
    await expect(readAll()).rejects.toThrow('429');
    expect(usedPages).toEqual([1, 2, 3]);
  });

  it('requests one more page when the caller stops early, and ignores its error', async () => {
    const requestedPages: number[] = [];
    for await (const _ of readAhead(failAfter(1, requestedPages))) break;
    expect(requestedPages).toEqual([1]);
  });
});

describe('combining pages', () => {
  const toIds = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index);

  async function* readPages(sizes: readonly number[], error?: Error): AsyncGenerator<number[]> {
    let first = 0;
    for (const size of sizes) {
      yield toIds(first, size);
      first += size;
    }
    if (error) throw error;
  }

  it('gives all objects in order, with the number of pages that they were on', async () => {
    const combined: unknown[] = [];
    for await (const { objects, pages } of combinePages(readPages([100, 100, 100, 100, 100, 100, 1_000, 0, 30])))
      combined.push([objects, pages]);
    expect(combined).toEqual([
      [toIds(0, 500), 5],
      [toIds(500, 1_100), 2],
      [toIds(1_600, 30), 2],
    ]);
  });

  it('returns what was read before a failure, so that a read that always reaches its limit still makes progress', async () => {
    const pages = combinePages(readPages([100, 100], new Error('429')));
    expect((await pages.next()).value).toEqual({ objects: toIds(0, 200), pages: 2 });
    await expect(pages.next()).rejects.toThrow('429');
  });
});
