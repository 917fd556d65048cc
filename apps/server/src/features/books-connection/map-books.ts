/** Maps the copied objects to books: as they are read, or from the stored copy. */
import type { Db } from '@portal/db/database.ts';
import { booksRateAnswers } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { BooksProvider, CopiedObject } from '@portal/providers/connected-books/books-provider.ts';
import type { ConnectedBooks, RateAnswers } from '@portal/providers/connected-books/connected-books.ts';
import { UnreadableDocumentsError } from '@portal/providers/connected-books/unreadable-documents.ts';
import { openBooksCopy } from './books-objects.ts';
import type { BooksConnectionRow } from './find-books-connection.ts';

/** The error lists relevant documents that can't be used. */
export type MappedBooks = ConnectedBooks | UnreadableDocumentsError;

/** A mapping that receives the pages of a complete read, so that they needn't be read back from the database. */
export type RunningMapping = {
  addPage(resource: string, objects: readonly CopiedObject[]): void;
  endResource(resource: string): void;
  /** The copy is no longer the same as the pages. */
  discard(): void;
  /** Call this once the copy is complete. Returns undefined if the copy must be mapped instead. */
  finish(): Promise<MappedBooks | undefined>;
};

export async function mapCopiedBooks(db: Db, connection: BooksConnectionRow, booksProvider: BooksProvider): Promise<MappedBooks> {
  try {
    return await booksProvider.mapBooks(openBooksCopy(db, connection.companyId), await listRateAnswers(db, connection));
  } catch (error) {
    if (error instanceof UnreadableDocumentsError) return error;
    throw error;
  }
}

/** The settings must have been stored, because the mapping reads them from the copy. */
export async function startMapping(db: Db, connection: BooksConnectionRow, booksProvider: BooksProvider): Promise<RunningMapping> {
  const answers = await listRateAnswers(db, connection);
  const settings = booksProvider.resources.filter(({ isWhole }) => isWhole);
  const documents = booksProvider.resources.filter(({ isWhole }) => !isWhole);
  const copy = openBooksCopy(db, connection.companyId, settings);
  const streams = new Map(documents.map(({ name }) => [name, createPageStream()]));
  let isDiscarded = false;
  const mapped = booksProvider
    .mapBooks({ pages: (resource) => streams.get(resource)?.pages() ?? copy.pages(resource) }, answers)
    // Any other error occurs again when the copy is mapped.
    .catch((error: unknown) => (error instanceof UnreadableDocumentsError ? error : undefined));
  return {
    addPage: (resource, objects) => {
      // The copy has an object once, as it was last read.
      if (streams.get(resource)?.add(objects) !== true) isDiscarded = true;
    },
    endResource: (resource) => streams.get(resource)?.end(),
    discard: () => void (isDiscarded = true),
    finish: async () => {
      if (isDiscarded || !areEqual(answers, await listRateAnswers(db, connection))) return undefined;
      return mapped;
    },
  };
}

/** Hands pages to a reader that may start later, or wait for the next one. */
function createPageStream() {
  const pages: unknown[][] = [];
  const seenIds = new Set<string>();
  let isEnded = false;
  let wake = (): void => undefined;
  return {
    /** Returns false if an object was added before. */
    add: (objects: readonly CopiedObject[]): boolean => {
      const expected = seenIds.size + objects.length;
      pages.push(
        objects.map(({ id, value }) => {
          seenIds.add(id);
          return value;
        }),
      );
      wake();
      return seenIds.size === expected;
    },
    end: (): void => {
      isEnded = true;
      seenIds.clear();
      wake();
    },
    pages: async function* (): AsyncGenerator<unknown[]> {
      for (;;) {
        const page = pages.shift();
        if (page) yield page;
        else if (isEnded) return;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}

export async function listRateAnswers(db: Db, { companyId, provider, organisationId }: BooksConnectionRow): Promise<RateAnswers> {
  const { code, kind, treatment, isZeroRated } = booksRateAnswers;
  const rows = await db
    .select({ code, kind, treatment, isZeroRated })
    .from(booksRateAnswers)
    .where(
      and(
        eq(booksRateAnswers.companyId, companyId),
        eq(booksRateAnswers.provider, provider),
        eq(booksRateAnswers.organisationId, organisationId ?? ''),
      ),
    )
    .orderBy(code);
  return new Map(rows.map((answer) => [answer.code, answer]));
}

const areEqual = (some: RateAnswers, others: RateAnswers): boolean => JSON.stringify([...some]) === JSON.stringify([...others]);
