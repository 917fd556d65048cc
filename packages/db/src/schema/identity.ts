/** Users, sessions, sign-in methods, companies and the audit trail. */
import type { IdentityCheckStatus } from '@portal/domain/advances/advance-statuses.ts';
import type { BooksProviderName } from '@portal/domain/connected-books/books-providers.ts';
import type { CompanyKind, Role } from '@portal/domain/identity/roles.ts';
import type { MembershipPermission } from '@portal/domain/identity/membership-permission.ts';
import type { Product } from '@portal/domain/partners/partner.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { sql } from '../sql.ts';
import { bigint, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { companyId, instant } from './columns.ts';

/** The referring partner and time, as the browser reported them at sign-up. Unknown partner names are stored unchanged. */
export type PartnerTouch = { readonly partner: string; readonly at: Instant };
export type Referral = { readonly partner: string; readonly first: PartnerTouch; readonly last: PartnerTouch };

/** The first and last partner before sign-up (docs/product/decisions.md section 8); null for rows older than these columns. */
const createTouchColumns = () => ({
  firstPartner: text('first_partner'),
  firstPartnerAt: instant('first_partner_at'),
  lastPartner: text('last_partner'),
  lastPartnerAt: instant('last_partner_at'),
});

/** A user. `email` is in lower case. A user is created only once a link sent to that address has been used. */
export const users = pgTable(
  'users',
  {
    id: uuid('id').primaryKey(),
    email: text('email').notNull(),
    fullName: text('full_name').notNull(),
    /** The phone number. In E.164 format once verified or saved on the verification screens; before that, as typed at sign-up. */
    phone: text('phone'),
    phoneVerifiedAt: instant('phone_verified_at'),
    emailVerifiedAt: instant('email_verified_at'),
    passwordHash: text('password_hash'),
    /** The partner whose terms we showed at sign-up, by its name in the partner table. The user's companies inherit it. */
    partner: text('partner').notNull().default('organic'),
    /** The product that the account was opened for. It determines where a user without a company or practice continues. */
    product: text('product').$type<Product>().notNull().default('instant_vat'),
    ...createTouchColumns(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [uniqueIndex('users_email').on(table.email)],
);

/**
 * How the user signed in to a session: the provider's name for sign-in through another company. `enrolment` is the link that an operator
 * gets once.
 */
export const SIGN_IN_METHODS = [
  'password',
  'link',
  'enrolment',
  'passkey',
  'google',
  'microsoft',
  'xero',
  'intuit',
  'freeagent',
  'hmrc',
] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];

/** Second factor type in HMRC's terms for Gov-Client-Multi-Factor: authenticator code, code sent, or any other (passkey, recovery code). */
export type SecondFactorType = 'TOTP' | 'AUTH_CODE' | 'OTHER';

/** A signed-in browser. We store only the SHA-256 of the cookie's 32 random bytes. */
export const sessions = pgTable(
  'sessions',
  {
    tokenHash: text('token_hash').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    /** The sign-in method, for HMRC's multi-factor header. */
    signInMethod: text('sign_in_method').$type<SignInMethod>().notNull(),
    /** The type of second factor used. */
    secondFactorType: text('second_factor_type').$type<SecondFactorType>(),
    secondFactorAt: instant('second_factor_at'),
    secondFactorReference: text('second_factor_reference'),
    /** When the user last confirmed a second factor in this session, by the wall clock. */
    factorAt: instant('factor_at'),
    /** When the user last confirmed their identity in this session (wall clock): by logging in, or with the strongest method they have. */
    confirmedAt: instant('confirmed_at'),
    /** The user whose portal an operator is viewing, read-only, until `viewUntil`. */
    viewAs: uuid('view_as').references(() => users.id),
    viewUntil: instant('view_until'),
    /** Identifies the session in its owner's list. The hash of the cookie is never shown. */
    id: uuid('id').notNull().defaultRandom(),
    createdAt: instant('created_at').notNull(),
    lastSeenAt: instant('last_seen_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    ip: text('ip').notNull(),
    userAgent: text('user_agent').notNull(),
  },
  (table) => [
    index('sessions_user').on(table.userId),
    index('sessions_expires').on(table.expiresAt),
    uniqueIndex('sessions_id').on(table.id),
  ],
);

/** Sign-up data stored until its link is used. */
export type PendingSignUp = {
  full_name: string;
  phone: string | null;
  password_hash: string | null;
  referral: Referral;
  /** The product that the new user continues with: their own company, or a practice. */
  product?: Product;
};

/** A verified identity at another provider, with the name that the provider has for the user. */
export type VerifiedIdentity = { provider: string; issuer: string; subject: string; email: string | null };

/**
 * `reset` sets a password without signing in. All others sign the user in: `link` after linking `identity` to the account, `hmrc` for
 * HMRC's sign-in, `enrol` for a new operator.
 */
export type LoginLinkPurpose = 'sign_in' | 'verify' | 'link' | 'hmrc' | 'reset' | 'enrol';

/** An emailed link, which is single-use, short-lived and stored only as a hash. `signUp` is set if using it creates the account. */
export const loginLinks = pgTable(
  'login_links',
  {
    tokenHash: text('token_hash').primaryKey(),
    email: text('email').notNull(),
    purpose: text('purpose').$type<LoginLinkPurpose>().notNull().default('sign_in'),
    signUp: jsonb('sign_up').$type<PendingSignUp>(),
    identity: jsonb('identity').$type<VerifiedIdentity>(),
    /**
     * The browser that requested the link (hash of its cookie). A password or identity from that request counts only if the same browser
     * confirms it.
     */
    browserHash: text('browser_hash'),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
  },
  (table) => [index('login_links_email').on(table.email)],
);

/**
 * Linked sign-in methods at other providers. Issuer and subject together identify a user; the email address is informational and never used
 * for linking.
 */
export const identities = pgTable(
  'identities',
  {
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    provider: text('provider').notNull(),
    email: text('email'),
    linkedAt: instant('linked_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.issuer, table.subject] }), index('identities_user').on(table.userId)],
);

/** A sign-in in progress at a provider, bound to the browser that started it and usable once. */
export const signInStates = pgTable('sign_in_states', {
  stateHash: text('state_hash').primaryKey(),
  provider: text('provider').notNull(),
  browserHash: text('browser_hash').notNull(),
  nonce: text('nonce').notNull(),
  codeVerifier: text('code_verifier').notNull(),
  /** The page to open next, below /portal; null for the user's home page. */
  next: text('next'),
  referral: jsonb('referral').$type<Referral>().notNull(),
  /** The user to link the identity to, if a signed-in user requested the link. */
  linkTo: uuid('link_to'),
  /** The company's VAT number, for signing in through HMRC, because HMRC doesn't identify the user. */
  vrn: text('vrn'),
  /** The bookkeeping software whose books this sign-up also requests. */
  booksProgram: text('books_program').$type<BooksProviderName>(),
  createdAt: instant('created_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
});

export const passkeys = pgTable(
  'passkeys',
  {
    /** The credential's ID, base64url. */
    id: text('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    name: text('name').notNull(),
    /** The COSE public key, base64url. */
    publicKey: text('public_key').notNull(),
    counter: bigint('counter', { mode: 'number' }).notNull(),
    transports: jsonb('transports').$type<string[]>().notNull(),
    createdAt: instant('created_at').notNull(),
    lastUsedAt: instant('last_used_at'),
  },
  (table) => [index('passkeys_user').on(table.userId)],
);

/**
 * An authenticator app, valid once a code has confirmed it. `lastStep` is the newest 30-second step whose code was accepted, so that a code
 * can't be used twice.
 */
export const authenticators = pgTable('authenticators', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id),
  /** The app's secret, encrypted like a provider's token. */
  secret: text('secret').notNull(),
  confirmedAt: instant('confirmed_at'),
  lastStep: bigint('last_step', { mode: 'number' }).notNull().default(0),
  createdAt: instant('created_at').notNull(),
});

export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    codeHash: text('code_hash').notNull(),
    usedAt: instant('used_at'),
  },
  (table) => [primaryKey({ columns: [table.userId, table.codeHash] })],
);

export type ChallengeKind = 'passkey_sign_in' | 'passkey_add' | 'second_factor' | 'emailed_code';

/**
 * A short-lived, single-use challenge for a passkey signature or a second factor code. The browser holds a secret, of which we store only
 * the hash.
 */
export const challenges = pgTable('challenges', {
  idHash: text('id_hash').primaryKey(),
  kind: text('kind').$type<ChallengeKind>().notNull(),
  userId: uuid('user_id').references(() => users.id),
  /** The value that a passkey must sign. It isn't secret. */
  expected: text('expected'),
  /** The first factor of a sign-in that is waiting for its second factor. */
  signInMethod: text('sign_in_method').$type<SignInMethod>(),
  attempts: integer('attempts').notNull().default(0),
  createdAt: instant('created_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
});

/**
 * A new email address requested by the account's owner. It replaces the old one once a link sent to each has been used, which proves access
 * to both mailboxes. Only the links' hashes are stored.
 */
export const emailChanges = pgTable(
  'email_changes',
  {
    userId: uuid('user_id')
      .primaryKey()
      .references(() => users.id),
    newEmail: text('new_email').notNull(),
    oldTokenHash: text('old_token_hash').notNull(),
    newTokenHash: text('new_token_hash').notNull(),
    oldConfirmedAt: instant('old_confirmed_at'),
    newConfirmedAt: instant('new_confirmed_at'),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [uniqueIndex('email_changes_old_token').on(table.oldTokenHash), uniqueIndex('email_changes_new_token').on(table.newTokenHash)],
);

/** Browsers that a user has signed in with, by the hash of a persistent cookie. We email the user when a new one appears. */
export const knownDevices = pgTable(
  'known_devices',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    deviceHash: text('device_hash').notNull(),
    firstSeenAt: instant('first_seen_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.deviceHash] })],
);

/** Identity checks. The row's ID is our reference at the provider, so that a repeated order returns the same check. */
export const identityChecks = pgTable(
  'identity_checks',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    /** The exact content of the order, because a repeated order must be identical. */
    fullName: text('full_name').notNull(),
    email: text('email').notNull(),
    /** Null until the provider has responded to the order. */
    providerCheckId: text('provider_check_id'),
    status: text('status').$type<IdentityCheckStatus>().notNull(),
    reasons: jsonb('reasons').$type<string[]>().notNull(),
    createdAt: instant('created_at').notNull(),
    completedAt: instant('completed_at'),
    /** The operator who verified the user without the provider, and the evidence; null for the provider's own result. */
    verifiedBy: uuid('verified_by'),
    evidence: text('evidence'),
    /** The month of birth on the document, for example "1984-05"; null if unknown. */
    bornIn: text('born_in'),
  },
  (table) => [
    index('identity_checks_user').on(table.userId, table.createdAt),
    uniqueIndex('identity_checks_provider').on(table.providerCheckId),
  ],
);

/** Attempt counters, so that rate limits apply across instances: one row per subject and time window. */
export const attempts = pgTable(
  'attempts',
  { subject: text('subject').notNull(), windowStart: instant('window_start').notNull(), count: integer('count').notNull() },
  (table) => [primaryKey({ columns: [table.subject, table.windowStart] })],
);

/** The company's details at Companies House when last read. */
export type RegisterFacts = {
  /** Absent on rows stored by earlier versions. */
  name?: string;
  /** Former names; absent if the company has none. */
  previous_names?: string[];
  status: string;
  /** For example "active-proposal-to-strike-off"; absent if there is none. */
  status_detail?: string;
  type: string;
  is_insolvent: boolean;
  /** Current officers and persons with significant control; absent if they couldn't be read. */
  people?: {
    officers: string[];
    controllers: { name: string; kind: string }[];
    /** Officers whose month of birth ("1984-05") is published. Absent on rows stored by earlier versions. */
    births?: { name: string; born_in: string }[];
  };
  read_at: Instant;
};

/** A company: the tenant. */
export const companies = pgTable('companies', {
  id: uuid('id').primaryKey(),
  kind: text('kind').$type<CompanyKind>().notNull(),
  name: text('name').notNull(),
  companyNumber: text('company_number'),
  vrn: text('vrn'),
  /** The name in HMRC's VAT register, once looked up. */
  vrnRegisteredName: text('vrn_registered_name'),
  /** Null if we have never looked the company up at Companies House. */
  register: jsonb('register').$type<RegisterFacts>(),
  /** A name from the partner table, or "organic" if the company wasn't referred. It determines the fee rate. */
  partner: text('partner').notNull().default('organic'),
  ...createTouchColumns(),
  createdAt: instant('created_at').notNull(),
  /** When the company's last owner or administrator closed it. From then on, no one can access it. */
  closedAt: instant('closed_at'),
  closedBy: uuid('closed_by'),
  /** When the company's rows were deleted at the end of their retention period. After that, this row contains no company details. */
  erasedAt: instant('erased_at'),
});

/** The roles of users in companies. Only users with a row here have access (docs/decisions/0049-team.md). */
export const memberships = pgTable(
  'memberships',
  {
    companyId: companyId().references(() => companies.id),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    role: text('role').$type<Role>().notNull(),
    /**
     * Permissions beyond the role, for a team_member of a practice, or for a bookkeeper or accountant of a trader. A custom role's
     * permissions are copied here whenever it changes.
     */
    permissions: text('permissions').array().$type<readonly MembershipPermission[]>().notNull().default(['export']),
    /** The custom role (team_roles) of a team_member. */
    teamRoleId: uuid('team_role_id'),
    /** The practice's own labels, for example an office or department. */
    groups: text('groups').array().$type<readonly string[]>().notNull().default([]),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.userId] }), index('memberships_user').on(table.userId)],
);

/** An authorisation in progress at a provider, bound to the session that started it and usable once. */
export const authorisationStates = pgTable('authorisation_states', {
  stateHash: text('state_hash').primaryKey(),
  userId: uuid('user_id').notNull(),
  companyId: companyId(),
  returnTo: text('return_to').$type<'steps' | 'dashboard' | 'practice_steps' | 'practice_settings'>().notNull(),
  codeVerifier: text('code_verifier').notNull(),
  /** Fraud prevention headers about the browser and connection, stored because the redirect back doesn't include them. */
  fraudHeaders: jsonb('fraud_headers').$type<Record<string, string>>().notNull().default({}),
  createdAt: instant('created_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
});

/**
 * A write that moves money or files a return, by its Idempotency-Key. A repeated request returns the first response. See
 * apps/server/src/http/idempotency.ts.
 */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    companyId: companyId(),
    userId: uuid('user_id').notNull(),
    key: text('key').notNull(),
    endpoint: text('endpoint').notNull(),
    inputHash: text('input_hash').notNull(),
    createdAt: instant('created_at').notNull(),
    /** The process handling the first call. */
    holderId: bigint('holder_id', { mode: 'number' }).notNull(),
    startedAt: instant('started_at').notNull(),
    /** The first response; null until it is ready. */
    responseStatus: integer('response_status'),
    responseBody: text('response_body'),
    completedAt: instant('completed_at'),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.userId, table.key] }), index('idempotency_keys_created').on(table.createdAt)],
);

/** The audit trail: append-only, hash-chained per company, and written in the same transaction as the change it records. */
export const auditEntries = pgTable(
  'audit_entries',
  {
    companyId: companyId(),
    sequence: integer('sequence').notNull(),
    at: instant('at').notNull(),
    actor: text('actor').notNull(),
    action: text('action').notNull(),
    subject: text('subject').notNull(),
    /** These three columns may name people, so they must be erasable. The chain hashes only their digest. */
    before: jsonb('before').$type<unknown>(),
    after: jsonb('after').$type<unknown>(),
    ip: text('ip').notNull().default(''),
    /** Prevents guessing erased values from their digest. Erased together with them. */
    salt: text('salt'),
    /** Null in entries older than this column, whose hash covers the values themselves. */
    valuesDigest: text('values_digest'),
    previousHash: text('previous_hash').notNull(),
    hash: text('hash').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.sequence] }),
    // Serves a client's timeline: entries about the client itself, and entries about several clients that include it.
    index('audit_entries_subject').on(table.companyId, table.subject, table.sequence),
    // Serves the operators' search of the trail across companies, newest first.
    index('audit_entries_at').on(table.at),
    index('audit_entries_actor').on(table.actor, table.at),
    index('audit_entries_action').on(table.action, table.at),
    index('audit_entries_clients')
      .using('gin', sql`(${table.after} -> 'client_ids') jsonb_path_ops`)
      .where(sql`${table.after} -> 'client_ids' is not null`),
  ],
);

/** The end of each company's audit chain. Its row lock serialises only that company's writers. */
export const auditHeads = pgTable('audit_heads', {
  companyId: uuid('company_id').primaryKey(),
  sequence: integer('sequence')
    .notNull()
    .default(sql`0`),
  hash: text('hash').notNull(),
  /** By the database's clock; null if the chain hasn't changed since this column was added. */
  changedAt: instant('changed_at'),
});
