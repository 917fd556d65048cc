/** People, their sessions and the links we e-mail them. */
import { sql } from 'drizzle-orm';
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { companyId, instant } from './columns.ts';

/** A person. `email` is lower case. A user without a verified address exists only once a link to it was used. */
export const users = pgTable(
  'users',
  {
    id: uuid('id').primaryKey(),
    email: text('email').notNull(),
    fullName: text('full_name').notNull(),
    phone: text('phone'),
    passwordHash: text('password_hash'),
    isOperator: boolean('is_operator').notNull().default(false),
    /** Who referred the person (first touch); their companies inherit it. */
    partner: text('partner').notNull().default('organic'),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [uniqueIndex('users_email').on(table.email)],
);

/** One signed-in browser. The cookie's 32 random bytes are kept only as their SHA-256. */
export const sessions = pgTable(
  'sessions',
  {
    tokenHash: text('token_hash').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    /** Identifies the sign-in to HMRC's multi-factor header without telling the secret. */
    signInMethod: text('sign_in_method').$type<'password' | 'link'>().notNull(),
    createdAt: instant('created_at').notNull(),
    lastSeenAt: instant('last_seen_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    ip: text('ip').notNull(),
    userAgent: text('user_agent').notNull(),
  },
  (table) => [index('sessions_user').on(table.userId), index('sessions_expires').on(table.expiresAt)],
);

/** What a sign-up keeps until its link is used. */
export type PendingSignUp = { full_name: string; phone: string | null; password_hash: string | null; partner: string };

/** An e-mailed link: single use, short-lived, kept only as a hash. `signUp` is set where using it makes the account. */
export const loginLinks = pgTable(
  'login_links',
  {
    tokenHash: text('token_hash').primaryKey(),
    email: text('email').notNull(),
    signUp: jsonb('sign_up').$type<PendingSignUp>(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
  },
  (table) => [index('login_links_email').on(table.email)],
);

/** Counted attempts, so that limits hold across instances: one row per subject and window. */
export const attempts = pgTable(
  'attempts',
  { subject: text('subject').notNull(), windowStart: instant('window_start').notNull(), count: integer('count').notNull() },
  (table) => [primaryKey({ columns: [table.subject, table.windowStart] })],
);

export const COMPANY_KINDS = ['trader', 'practice', 'client'] as const;
export type CompanyKind = (typeof COMPANY_KINDS)[number];

/** A company: the tenant. */
export const companies = pgTable('companies', {
  id: uuid('id').primaryKey(),
  kind: text('kind').$type<CompanyKind>().notNull(),
  name: text('name').notNull(),
  companyNumber: text('company_number'),
  vrn: text('vrn'),
  /** The name HMRC's register of VAT numbers holds, once asked. */
  vrnRegisteredName: text('vrn_registered_name'),
  /** Who referred the company: the partner engine's name, "organic" when nobody did. It decides the fee rate. */
  partner: text('partner').notNull().default('organic'),
  createdAt: instant('created_at').notNull(),
});

export const ROLES = ['trader_owner', 'practice_admin', 'team_member', 'client'] as const;
export type Role = (typeof ROLES)[number];

/** Who is what in which company. */
export const memberships = pgTable(
  'memberships',
  {
    companyId: companyId().references(() => companies.id),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    role: text('role').$type<Role>().notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.userId] }), index('memberships_user').on(table.userId)],
);

/** A consent under way at a provider: bound to the session that began it, used once. */
export const consentStates = pgTable('consent_states', {
  stateHash: text('state_hash').primaryKey(),
  userId: uuid('user_id').notNull(),
  companyId: companyId(),
  returnTo: text('return_to').$type<'steps' | 'dashboard'>().notNull(),
  codeVerifier: text('code_verifier').notNull(),
  createdAt: instant('created_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
});

/** A write that moves money or files, by its Idempotency-Key: a repeat gets the first answer. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    companyId: companyId(),
    key: text('key').notNull(),
    endpoint: text('endpoint').notNull(),
    inputHash: text('input_hash').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.key] })],
);

/** The audit trail: append-only, hash-chained per company, written in the transaction of the change it tells of. */
export const auditEntries = pgTable(
  'audit_entries',
  {
    companyId: companyId(),
    sequence: integer('sequence').notNull(),
    at: instant('at').notNull(),
    actor: text('actor').notNull(),
    action: text('action').notNull(),
    subject: text('subject').notNull(),
    before: jsonb('before').$type<unknown>(),
    after: jsonb('after').$type<unknown>(),
    ip: text('ip').notNull().default(''),
    previousHash: text('previous_hash').notNull(),
    hash: text('hash').notNull(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.sequence] })],
);

/** The end of each company's audit chain; its row lock orders the writers of one company, and only them. */
export const auditHeads = pgTable('audit_heads', {
  companyId: uuid('company_id').primaryKey(),
  sequence: integer('sequence')
    .notNull()
    .default(sql`0`),
  hash: text('hash').notNull(),
});
