/** Files of clients and tasks. See docs/decisions/0062-clients-files.md. */
import type { FileFolder, FileState, FileType } from '@portal/domain/client-files/client-file.ts';
import { sql } from '../sql.ts';
import { boolean, check, foreignKey, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { clients } from './clients.ts';
import { companyId, fileBytes, instant } from './columns.ts';
import { companies, users } from './identity.ts';
import { workItems } from './work-items.ts';

/** A file of a client or of a task. A removed or infected one has no content any more. */
export const clientFiles = pgTable(
  'client_files',
  {
    companyId: companyId().references(() => companies.id),
    id: uuid('id').notNull(),
    /** Null for a task's file. */
    clientId: uuid('client_id'),
    /** Null for a client's file. */
    workItemId: uuid('work_item_id'),
    /** The item of a request that a client's file answers. */
    requestItemId: uuid('request_item_id'),
    name: text('name').notNull(),
    type: text('type').$type<FileType>().notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    sha256: text('sha256').notNull(),
    state: text('state').$type<FileState>().notNull().default('quarantined'),
    /** The virus scanner's name of what it found. */
    virus: text('virus'),
    /** Whether the client's people sent it. */
    isFromClient: boolean('is_from_client').notNull(),
    folder: text('folder').$type<FileFolder>().notNull().default('other'),
    /** The year that it is about, if the practice has said so. */
    year: integer('year'),
    /** When the practice shared it with the client; null if the client doesn't see it. What the client sent it sees anyway. */
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

/** Apart from the facts, so that lists never read it. */
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
