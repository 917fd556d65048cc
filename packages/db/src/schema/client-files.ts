/** Files of clients and of tasks. See docs/decisions/0062-clients-files.md. */
import type { FileFolder, FileState, FileType } from '@portal/domain/client-files/client-file.ts';
import { sql } from '../sql.ts';
import { boolean, check, foreignKey, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { clients } from './clients.ts';
import { companyId, fileBytes, instant } from './columns.ts';
import { companies, users } from './identity.ts';
import { workItems } from './work-items.ts';

/** A client's or a task's file. The content of a removed or infected file is deleted. */
export const clientFiles = pgTable(
  'client_files',
  {
    companyId: companyId().references(() => companies.id),
    id: uuid('id').notNull(),
    /** Null for a task's file. */
    clientId: uuid('client_id'),
    /** Null for a client's file. */
    workItemId: uuid('work_item_id'),
    /** The request item that a client's file answers. */
    requestItemId: uuid('request_item_id'),
    name: text('name').notNull(),
    type: text('type').$type<FileType>().notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    sha256: text('sha256').notNull(),
    state: text('state').$type<FileState>().notNull().default('quarantined'),
    /** The virus's name, as reported by the scanner. */
    virus: text('virus'),
    /** True if one of the client's users sent the file. */
    isFromClient: boolean('is_from_client').notNull(),
    folder: text('folder').$type<FileFolder>().notNull().default('other'),
    /** The year that the file relates to, if the practice has set it. */
    year: integer('year'),
    /** When the practice shared the file with the client; null if it isn't shared. Clients can always see the files they sent. */
    sharedAt: instant('shared_at'),
    uploadedBy: uuid('uploaded_by')
      .notNull()
      .references(() => users.id),
    uploadedAt: instant('uploaded_at').notNull(),
    scannedAt: instant('scanned_at'),
    removedAt: instant('removed_at'),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index('client_files_client').on(table.companyId, table.clientId, table.uploadedAt),
    index('client_files_work_item').on(table.companyId, table.workItemId),
    index('client_files_quarantined')
      .on(table.companyId, table.uploadedAt)
      .where(sql`state = 'quarantined'`),
    check('client_files_one_owner', sql`num_nonnulls(client_id, work_item_id) = 1`),
    foreignKey({ columns: [table.companyId, table.clientId], foreignColumns: [clients.companyId, clients.id] }).onDelete('cascade'),
    foreignKey({ columns: [table.companyId, table.workItemId], foreignColumns: [workItems.companyId, workItems.id] }).onDelete('cascade'),
  ],
);

/** Stored in a separate table, so that lists never read it. */
export const clientFileContents = pgTable(
  'client_file_contents',
  {
    companyId: companyId(),
    fileId: uuid('file_id').notNull(),
    bytes: fileBytes('bytes').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.fileId] }),
    foreignKey({ columns: [table.companyId, table.fileId], foreignColumns: [clientFiles.companyId, clientFiles.id] }).onDelete('cascade'),
  ],
);
