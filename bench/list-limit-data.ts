/** Creates the same clients twice in one database: in the bare server's table (schema `bare`) and in the portal's tables. */
import type pg from 'pg';
import { hashToken } from '../apps/server/src/http/session.ts';

/** The screens reject IDs that aren't UUIDs (RFC 9562), such as a bare MD5. */
const toUuid = (text: string): string => `overlay(overlay(md5(${text}) placing '8' from 13) placing '8' from 17)::uuid`;

/** One practice per size, keyed by its number of clients. */
export const PRACTICES = {
  1_000: '00000000-0000-4000-8000-000000001000',
  10_000: '00000000-0000-4000-8000-000000010000',
  100_000: '00000000-0000-4000-8000-000000100000',
} as const;
export type PracticeSize = keyof typeof PRACTICES;

/** Partial names to search for: some match hundreds of clients, some a few, some none. */
export const SEARCHES = [
  'kest',
  'joinery',
  'row',
  'soft',
  'harb',
  'west',
  'motors',
  'silver',
  'group',
  'media',
  'albion c',
  'kes0001',
  'zzz',
];

/** Returns the session token of a practice's admin. Both servers store the same hash of it. */
export const getSessionToken = (size: PracticeSize): string => `list-limit-${size}`;

export async function fillListLimit(client: pg.Client, sizes: readonly PracticeSize[] = [1_000, 10_000, 100_000]): Promise<void> {
  await client.query(BARE_TABLES);
  for (const size of sizes) await client.query(insertBareRows(PRACTICES[size], size, hashToken(getSessionToken(size))));
  await client.query(PORTAL_ROWS);
  await client.query('vacuum analyze');
}

const BARE_TABLES = `
  create schema bare;
  create table bare.sessions (token_hash text primary key, member_id uuid not null, company_id uuid not null, expires_at timestamptz not null);
  create table bare.members (member_id uuid primary key, company_id uuid not null, name text not null, role text not null);
  create table bare.client_list (
    client_id uuid primary key, company_id uuid not null, name text not null, search text not null, client_type text not null,
    reference text not null, utr text, vrn text, paye_ref text, company_number text, email text, phone text, status text not null,
    member_id uuid, member_name text, next_due_on date not null, next_due_tax text, amount_due_pence bigint not null,
    overdue_pence bigint not null, overdue_count int not null, open_tasks int not null, unread_messages int not null,
    tags text[] not null, taxes jsonb not null, source text not null, as_of timestamptz not null, updated_at timestamptz not null);
  create index on bare.client_list (company_id, status, next_due_on, client_id);
  create index on bare.client_list (company_id, next_due_on, client_id);
  create index on bare.client_list using gin (company_id, search gin_trgm_ops)`;

function insertBareRows(companyId: string, clients: number, tokenHash: string): string {
  const selectTax = (name: string): string =>
    `'${name}', jsonb_build_object('dueOn', due_on, 'amountPence', n * 7, 'overdue', n % 9 = 0, 'source', 'hmrc', 'asOf', '2026-11-21T08:00:00Z')`;
  return `
  insert into bare.members values (${toUuid(`'member ${clients}'`)}, '${companyId}', 'Priya Oakes', 'owner');
  insert into bare.sessions values ('${tokenHash}', ${toUuid(`'member ${clients}'`)}, '${companyId}', now() + interval '30 days');
  insert into bare.client_list
  select ${toUuid(`'client ${clients} ' || n`)}, '${companyId}', name, lower(name || ' ' || reference || ' ' || utr || ' ' || vrn),
    case when n % 10 < 6 then 'company' when n % 10 < 9 then 'sole_trader' else 'individual' end,
    reference, utr, vrn, (100 + n % 800) || '/AB' || lpad(n::text, 6, '0'), lpad((1000000 + n)::text, 8, '0'),
    'accounts' || n || '@client.example', '01632 ' || lpad((960000 + n % 1000)::text, 6, '0'),
    case when n % 10 < 7 then 'active' when n % 10 = 7 then 'inviting' when n % 10 = 8 then 'inactive' else 'closed' end,
    ${toUuid(`'member ${clients}'`)}, 'Priya Oakes', due_on, 'vat', n * 7, case when n % 9 = 0 then 5000 else 0 end, n % 3, n % 8, n % 4,
    array['vip', 'quarterly'], jsonb_build_object(${['vat', 'sa', 'ct', 'paye'].map(selectTax).join(', ')}), 'hmrc', timestamptz '2026-11-21 08:00Z', now()
  from (select n, first || ' ' || second || ' ' || ending as name, upper(left(first, 3)) || lpad(n::text, 6, '0') as reference,
      lpad((1000000000 + n * 37)::text, 10, '0') as utr, (100000000 + n * 11)::text as vrn, date '2026-10-01' + (n * 7919) % 300 as due_on
    from (select n, (array['Albion', 'Beacon', 'Cedar', 'Granite', 'Harbour', 'Kestrel', 'Larkspur', 'Northgate', 'Silverstone', 'Westbrook', 'Rowan'])[1 + n % 11] as first,
        (array['Joinery', 'Catering', 'Plumbing', 'Software', 'Bakery', 'Motors', 'Dental', 'Media', 'Farms', 'Studios', 'Trading', 'Electrical', 'Consulting'])[1 + n / 11 % 13] as second,
        (array['Ltd', 'Limited', 'LLP', '& Sons Ltd', '(UK) Ltd', 'Group Ltd', 'Services Ltd'])[1 + n / 143 % 7] as ending
      from generate_series(1, ${clients}) as n) as words) as named`;
}

/**
 * Inserts the portal's rows without foreign-key checks, because a check planned while a table was empty would scan the whole table for each
 * row.
 */
const PORTAL_ROWS = `
  begin;
  set local session_replication_role = replica;
  insert into companies (id, kind, name, created_at) select company_id, 'practice', 'Practice ' || company_id, now() from bare.members;
  insert into practices (company_id, arn, taxes, updated_at) select company_id, 'AARN0000002', '["vat","paye","ct","sa"]', now() from bare.members;
  insert into users (id, email, full_name, created_at) select member_id, member_id || '@practice.example', name, now() from bare.members;
  insert into memberships (company_id, user_id, role, created_at) select company_id, member_id, 'practice_admin', now() from bare.members;
  insert into sessions (token_hash, user_id, sign_in_method, created_at, last_seen_at, expires_at, ip, user_agent)
    select token_hash, member_id, 'link', now(), now(), expires_at, '', '' from bare.sessions;
  insert into clients (company_id, id, name, kind, status, vrn, utr, company_number, has_vat, has_paye, has_ct, has_sa, created_at, updated_at)
    select company_id, client_id, name, client_type, status, vrn, utr, company_number, true, true, true, true, now(), now() from bare.client_list;
  insert into client_rows (company_id, client_id, name, sort_name, kind, status, vrn, utr, company_number, has_vat, has_paye, has_ct, has_sa,
      next_due_on, next_due_tax, next_due_what, next_due_pence, owed_pence, overdue_pence, refund_pence, attention, members, search, as_of, read_taxes, stale_on)
    select company_id, client_id, name, lower(name), client_type, status, vrn, utr, company_number, true, true, true, true,
      next_due_on, next_due_tax, 'payment', amount_due_pence, amount_due_pence, overdue_pence, 0,
      case when overdue_pence > 0 then 'overdue_payment' else 'due_soon' end,
      jsonb_build_array(jsonb_build_object('user_id', member_id, 'full_name', member_name, 'duty', 'manager')), search, as_of,
      array['vat', 'paye', 'ct', 'sa'], date '2099-12-31' from bare.client_list;
  commit`;
