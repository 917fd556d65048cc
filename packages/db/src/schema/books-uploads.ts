/** Books files waiting for a user's decision, and the meaning of each company's columns. */
import type { BooksTable, RememberedBooksColumns } from '@portal/domain/books/books-mapping.ts';
import { jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { companyId, fileBytes, instant } from './columns.ts';

/** The last uploaded file, until it is applied or replaced. A user has to choose its columns or confirm that it is incomplete. */
export const booksUploads = pgTable('books_uploads', {
  companyId: companyId().primaryKey(),
  id: uuid('id').notNull(),
  fileName: text('file_name').notNull(),
  bytes: fileBytes('bytes').notNull(),
  table: jsonb('table').$type<BooksTable>().notNull(),
  /** `columns`: the meaning of the columns isn't known. `incomplete`: the file covers only part of a period. */
  waitsFor: text('waits_for').$type<'columns' | 'incomplete'>().notNull(),
  uploadedBy: uuid('uploaded_by').notNull(),
  uploadedAt: instant('uploaded_at').notNull(),
});

/** The meaning of a company's headings and values, as a user chose them for an earlier file. */
export const booksColumns = pgTable('books_columns', {
  companyId: companyId().primaryKey(),
  remembered: jsonb('remembered').$type<RememberedBooksColumns>().notNull(),
});
