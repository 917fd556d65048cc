/**
 * Views that belong to the tables' owner (migrations/0045_views.sql, 0049_team.sql, 0052_client-portal.sql, 0100_company-people-ever.sql,
 * 0104_late-refunds-of-owners.sql), because policies don't apply to the owner (docs/decisions/0044). They contain the few columns that a
 * statement in one tenant's scope may read across all tenants. access/owner-views.ts lists the reasons.
 */
import type { ShortfallCause } from '@portal/domain/shortfalls/infer-cause.ts';
import type { ShortfallStatus } from '@portal/domain/shortfalls/shortfall-status.ts';
import type { MembershipPermission } from '@portal/domain/identity/membership-permission.ts';
import type { Role } from '@portal/domain/identity/roles.ts';
import { pgView, text, uuid } from 'drizzle-orm/pg-core';
import { companyId, instant, pence, plainDate } from './columns.ts';

export const allTenantsMemberships = pgView('all_tenants_memberships', {
  companyId: companyId(),
  userId: uuid('user_id').notNull(),
  role: text('role').$type<Role>().notNull(),
  permissions: text('permissions').array().$type<readonly MembershipPermission[]>().notNull(),
}).existing();

/** Everyone who works or worked for a company; someone who left and came back has two rows. */
export const allTenantsCompanyPeople = pgView('all_tenants_company_people', {
  companyId: companyId(),
  userId: uuid('user_id').notNull(),
}).existing();

export const allTenantsClientPeople = pgView('all_tenants_client_people', {
  /** The practice's ID. */
  companyId: companyId(),
  clientId: uuid('client_id').notNull(),
  userId: uuid('user_id').notNull(),
  clientName: text('client_name').notNull(),
  practiceName: text('practice_name').notNull(),
}).existing();

export const allTenantsAccounts = pgView('all_tenants_accounts', {
  companyId: companyId(),
  id: uuid('id').notNull(),
  sortCode: text('sort_code').notNull(),
  accountNumber: text('account_number').notNull(),
}).existing();

export const allTenantsAdvances = pgView('all_tenants_advances', {
  companyId: companyId(),
  id: uuid('id').notNull(),
  obligationId: uuid('obligation_id').notNull(),
  state: text('state').$type<string>().notNull(),
  refundPence: pence('refund_pence').notNull(),
  quotedAt: instant('quoted_at').notNull(),
  foundOn: plainDate('found_on'),
  /** When we sent the return; null for a return found at HMRC. */
  filedAt: instant('filed_at'),
  repaidAt: instant('repaid_at'),
  updatedAt: instant('updated_at').notNull(),
}).existing();

export const allTenantsShortfalls = pgView('all_tenants_shortfalls', {
  companyId: companyId(),
  id: uuid('id').notNull(),
  ownerId: uuid('owner_id'),
  status: text('status').$type<ShortfallStatus>().notNull(),
  dueOn: plainDate('due_on'),
  advanceId: uuid('advance_id').notNull(),
  cause: text('cause').$type<ShortfallCause>().notNull(),
  openedAt: instant('opened_at').notNull(),
}).existing();
