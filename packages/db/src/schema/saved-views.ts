/** Saved views of a list: its filters, order and columns as they appear in the URL. */
import { boolean, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { companyId, instant } from './columns.ts';
import { users } from './identity.ts';

const createViewColumns = () => ({
  userId: uuid('user_id')
    .notNull()
    .references(() => users.id),
  id: uuid('id').notNull(),
  name: text('name').notNull(),
  query: text('query').notNull(),
  /** True if everyone in the practice, or every operator, can see the view. Its author and the practice's admins can change it. */
  isShared: boolean('is_shared').notNull().default(false),
  createdAt: instant('created_at').notNull(),
});

/** A view of a practice's client list. */
export const savedViews = pgTable('saved_views', { companyId: companyId(), ...createViewColumns() }, (table) => [
  primaryKey({ columns: [table.companyId, table.userId, table.id] }),
]);

/** An operator's view of the desk. */
export const deskViews = pgTable('desk_views', createViewColumns(), (table) => [primaryKey({ columns: [table.userId, table.id] })]);
