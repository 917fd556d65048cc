/**
 * Screening of companies and their people against sanctions and PEP lists. Only the money laundering reporting officer may read these
 * tables (Proceeds of Crime Act 2002 s333A). They are kept for five years after the business relationship ends (Money Laundering
 * Regulations 2017, regulation 40).
 */
import { index, integer, jsonb, pgTable, primaryKey, real, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { companyId, instant } from './columns.ts';

/** The subject of a screening: the company, or one of its people by name. */
export type ScreenedSubject = { readonly kind: 'person' | 'company'; readonly name: string; readonly hits: number };

/** One screening of a company with all its people, as evidence that it took place. Rows never change. */
export const screenings = pgTable(
  'screenings',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    screenedAt: instant('screened_at').notNull(),
    subjects: jsonb('subjects').$type<ScreenedSubject[]>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.id] }), index('screenings_time').on(table.companyId, table.screenedAt)],
);

export type SuspicionDecision = 'cleared' | 'confirmed';

/**
 * A possible match with a list, stored once for each subject and listed person, and again when the list says more about that person. Only the
 * decision is added later.
 */
export const suspicions = pgTable(
  'suspicions',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    screeningId: uuid('screening_id').notNull(),
    subjectKind: text('subject_kind').$type<ScreenedSubject['kind']>().notNull(),
    subjectName: text('subject_name').notNull(),
    listedId: text('listed_id').notNull(),
    /** Counts, from 1, what the list has said about this person since. */
    entryVersion: integer('entry_version').notNull().default(1),
    caption: text('caption').notNull(),
    topics: jsonb('topics').$type<string[]>().notNull(),
    datasets: jsonb('datasets').$type<string[]>().notNull(),
    score: real('score').notNull(),
    foundAt: instant('found_at').notNull(),
    decision: text('decision').$type<SuspicionDecision>(),
    decidedBy: uuid('decided_by'),
    decidedAt: instant('decided_at'),
    reason: text('reason'),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('suspicions_entry_once').on(table.companyId, table.subjectKind, table.subjectName, table.listedId, table.entryVersion),
  ],
);
