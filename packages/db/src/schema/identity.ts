/** People, their sessions and the links we email them. */
import type { CompanyKind, Role } from '@portal/domain/practice/roles.ts';
import type { Product } from '@portal/domain/partners/partner.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { companyId, instant } from './columns.ts';

/** Who sent a person and when, as the browser told at sign-up; names that no partner has are kept as they came. */
export type Touch = { readonly partner: string; readonly at: Instant };
export type Referral = { readonly partner: string; readonly first: Touch; readonly last: Touch };

/** The first and the last partner before sign-up (product decisions, section 8); null where the row is older than the columns. */
const touches = () => ({
  firstPartner: text('first_partner'),
  firstPartnerAt: instant('first_partner_at'),
  lastPartner: text('last_partner'),
  lastPartnerAt: instant('last_partner_at'),
});

/** The two products an account can be opened for. */

/** A person. `email` is lower case. A user without a verified address exists only once a link to it was used. */
export const users = pgTable(
  'users',
  {
    id: uuid('id').primaryKey(),
    email: text('email').notNull(),
    fullName: text('full_name').notNull(),
    /** E.164 once verified or kept by the verification screens; before, as it was typed at sign-up. */
    phone: text('phone'),
    phoneVerifiedAt: instant('phone_verified_at'),
    emailVerifiedAt: instant('email_verified_at'),
    passwordHash: text('password_hash'),
    isOperator: boolean('is_operator').notNull().default(false),
    /** The partner whose terms were shown at sign-up: a name of the partner table. Their companies inherit it. */
    partner: text('partner').notNull().default('organic'),
    /** Which product the account was opened for: where somebody without a company or a practice goes on. */
    product: text('product').$type<Product>().notNull().default('instant_vat'),
    ...touches(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [uniqueIndex('users_email').on(table.email)],
);

/** How a session was signed in; a provider's name where another company vouched for the person. */
export const SIGN_IN_METHODS = ['password', 'link', 'passkey', 'google', 'microsoft', 'xero', 'intuit', 'freeagent', 'hmrc'] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];

/** A second factor in HMRC's words for Gov-Client-Multi-Factor: an authenticator's code, a code sent, anything else (passkey, recovery code). */
export type SecondFactorType = 'TOTP' | 'AUTH_CODE' | 'OTHER';

/** One signed-in browser. The cookie's 32 random bytes are kept only as their SHA-256. */
export const sessions = pgTable(
  'sessions',
  {
    tokenHash: text('token_hash').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    /** Identifies the sign-in to HMRC's multi-factor header without telling the secret. */
    signInMethod: text('sign_in_method').$type<SignInMethod>().notNull(),
    /** Which second factor this sign-in used and when; what names it to HMRC is an id, never a secret. */
    secondFactorType: text('second_factor_type').$type<SecondFactorType>(),
    secondFactorAt: instant('second_factor_at'),
    secondFactorReference: text('second_factor_reference'),
    /** Names the session in its owner's list; the hash of the cookie is shown to nobody. */
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

/** What a sign-up keeps until its link is used. */
export type PendingSignUp = {
  full_name: string;
  phone: string | null;
  password_hash: string | null;
  referral: Referral;
  /** Where the new person goes on: with a company of their own, or with a practice. */
  product?: Product;
};

/** A way in at another company, as that company names the person. */
export type ProvenIdentity = { provider: string; issuer: string; subject: string; email: string | null };

/** `reset` sets a password and signs nobody in; all others sign in, `link` after joining `identity` to the account, `hmrc` for HMRC's sign-in. */
export type LinkPurpose = 'sign_in' | 'verify' | 'link' | 'hmrc' | 'reset';

/** An emailed link: single use, short-lived, kept only as a hash. `signUp` is set where using it makes the account. */
export const loginLinks = pgTable(
  'login_links',
  {
    tokenHash: text('token_hash').primaryKey(),
    email: text('email').notNull(),
    purpose: text('purpose').$type<LinkPurpose>().notNull().default('sign_in'),
    signUp: jsonb('sign_up').$type<PendingSignUp>(),
    identity: jsonb('identity').$type<ProvenIdentity>(),
    /** The browser that asked (hash of its cookie). What it brought along (a password, an identity) counts only if it also presses the button. */
    browserHash: text('browser_hash'),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
  },
  (table) => [index('login_links_email').on(table.email)],
);

/** Ways in at other companies. A person there is issuer and subject together; the email address is told, and joins nothing. */
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

/** A sign-in under way at a provider: bound to the browser that began it, used once. */
export const signInStates = pgTable('sign_in_states', {
  stateHash: text('state_hash').primaryKey(),
  provider: text('provider').notNull(),
  browserHash: text('browser_hash').notNull(),
  nonce: text('nonce').notNull(),
  codeVerifier: text('code_verifier').notNull(),
  /** The page to go to, below /portal; null for the person's home. */
  next: text('next'),
  referral: jsonb('referral').$type<Referral>().notNull(),
  /** Whom the identity is to be joined to, where a signed-in person asked for that. */
  linkTo: uuid('link_to'),
  /** The VAT number whose company is meant: HMRC names no person. */
  vrn: text('vrn'),
  createdAt: instant('created_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
});

export const passkeys = pgTable(
  'passkeys',
  {
    /** The credential's id, base64url. */
    id: text('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    name: text('name').notNull(),
    /** COSE, base64url. */
    publicKey: text('public_key').notNull(),
    counter: bigint('counter', { mode: 'number' }).notNull(),
    transports: jsonb('transports').$type<string[]>().notNull(),
    createdAt: instant('created_at').notNull(),
    lastUsedAt: instant('last_used_at'),
  },
  (table) => [index('passkeys_user').on(table.userId)],
);

/** An authenticator app; it counts once a code has confirmed it. `lastStep` is the newest 30 seconds whose code was taken: none works twice. */
export const authenticators = pgTable('authenticators', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id),
  /** Sealed like a provider's token. */
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

export type ChallengeKind = 'passkey_sign_in' | 'passkey_add' | 'second_factor';

/** Something to be answered soon and once: a passkey's signature, a second factor's code. Known to the browser by a secret kept here as a hash. */
export const challenges = pgTable('challenges', {
  idHash: text('id_hash').primaryKey(),
  kind: text('kind').$type<ChallengeKind>().notNull(),
  userId: uuid('user_id').references(() => users.id),
  /** What a passkey must sign; public. */
  expected: text('expected'),
  /** The first factor of a sign-in that waits for its second. */
  signInMethod: text('sign_in_method').$type<SignInMethod>(),
  attempts: integer('attempts').notNull().default(0),
  createdAt: instant('created_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
});

/** Browsers a person has signed in with, by the hash of their lasting cookie: a new one is told of by email. */
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

export type IdentityCheckStatus = 'pending' | 'passed' | 'failed' | 'expired' | 'needs_review';

/** Checks that a person is who they say. The row's id is our reference at the provider: an order repeated under it is the same check. */
export const identityChecks = pgTable(
  'identity_checks',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    /** What was ordered, word for word, because a repeat must be the same. */
    fullName: text('full_name').notNull(),
    email: text('email').notNull(),
    /** Null until the provider has answered the order. */
    providerCheckId: text('provider_check_id'),
    status: text('status').$type<IdentityCheckStatus>().notNull(),
    reasons: jsonb('reasons').$type<string[]>().notNull(),
    createdAt: instant('created_at').notNull(),
    completedAt: instant('completed_at'),
  },
  (table) => [
    index('identity_checks_user').on(table.userId, table.createdAt),
    uniqueIndex('identity_checks_provider').on(table.providerCheckId),
  ],
);

/** Counted attempts, so that limits hold across instances: one row per subject and window. */
export const attempts = pgTable(
  'attempts',
  { subject: text('subject').notNull(), windowStart: instant('window_start').notNull(), count: integer('count').notNull() },
  (table) => [primaryKey({ columns: [table.subject, table.windowStart] })],
);

/** What Companies House said of a company when it was last asked. */
export type RegisterFacts = { status: string; type: string; is_insolvent: boolean; read_at: Instant };

/** A company: the tenant. */
export const companies = pgTable('companies', {
  id: uuid('id').primaryKey(),
  kind: text('kind').$type<CompanyKind>().notNull(),
  name: text('name').notNull(),
  companyNumber: text('company_number'),
  vrn: text('vrn'),
  /** The name HMRC's register of VAT numbers holds, once asked. */
  vrnRegisteredName: text('vrn_registered_name'),
  /** Null where the register was never asked. */
  register: jsonb('register').$type<RegisterFacts>(),
  /** A name of the partner table, "organic" when nobody referred the company. It decides the fee rate. */
  partner: text('partner').notNull().default('organic'),
  ...touches(),
  createdAt: instant('created_at').notNull(),
});

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
  returnTo: text('return_to').$type<'steps' | 'dashboard' | 'practice_steps' | 'practice_settings'>().notNull(),
  codeVerifier: text('code_verifier').notNull(),
  /** What HMRC is told of the person's browser and connection: a redirect brings none of it back. */
  fraudHeaders: jsonb('fraud_headers').$type<Record<string, string>>().notNull().default({}),
  createdAt: instant('created_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
});

/** A write that moves money or files, by its Idempotency-Key: a repeat gets the first answer. See apps/server/src/http/idempotency.ts. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    companyId: companyId(),
    userId: uuid('user_id').notNull(),
    key: text('key').notNull(),
    endpoint: text('endpoint').notNull(),
    inputHash: text('input_hash').notNull(),
    createdAt: instant('created_at').notNull(),
    /** The process that answers the first call. */
    heldBy: bigint('held_by', { mode: 'number' }).notNull(),
    startedAt: instant('started_at').notNull(),
    /** The first answer; null while it is being made. */
    responseStatus: integer('response_status'),
    responseBody: text('response_body'),
    completedAt: instant('completed_at'),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.userId, table.key] }), index('idempotency_keys_created').on(table.createdAt)],
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
  (table) => [
    primaryKey({ columns: [table.companyId, table.sequence] }),
    // A client's timeline: entries about the client itself, and those about many at once that name it.
    index('audit_entries_subject').on(table.companyId, table.subject, table.sequence),
    index('audit_entries_clients')
      .using('gin', sql`(${table.after} -> 'client_ids') jsonb_path_ops`)
      .where(sql`${table.after} -> 'client_ids' is not null`),
  ],
);

/** The end of each company's audit chain; its row lock orders the writers of one company, and only them. */
export const auditHeads = pgTable('audit_heads', {
  companyId: uuid('company_id').primaryKey(),
  sequence: integer('sequence')
    .notNull()
    .default(sql`0`),
  hash: text('hash').notNull(),
});
