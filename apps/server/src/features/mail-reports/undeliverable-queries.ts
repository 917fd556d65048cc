import type { UndeliverableAddress } from '@portal/contract/mail-reports.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { sql } from '@portal/db/sql.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { parseInstant } from '@portal/domain/clock.ts';
import type { Actor } from '../../http/session.ts';
import { getAssigneeLimit, isVisibleTo } from '../positions/visible-clients.ts';
import { selectClientAddresses } from './addresses-of-client.ts';

/** A single client has few addresses, and so does a practice that tries one again. */
const MAX_CLIENT_ADDRESSES = 200;

type UndeliverableQuery = {
  /** Only this client's addresses. */
  readonly clientId?: string;
  readonly email?: string;
  readonly cursor?: string | undefined;
  readonly limit?: number;
};
type AddressPage = { readonly addresses: UndeliverableAddress[]; readonly next_cursor: string | null };

/**
 * Newest first. An admin sees all addresses, a team member those of assigned clients. The clients' addresses are read once for each page.
 * An admin's page is selected before that through the index `undeliverable_addresses_newest`; a member's page depends on those addresses.
 */
export async function listUndeliverableAddresses(
  db: Db | Tx,
  companyId: string,
  actor: Actor,
  { clientId, email, cursor, limit = MAX_CLIENT_ADDRESSES }: UndeliverableQuery = {},
): Promise<AddressPage> {
  const seesAll = clientId === undefined && getAssigneeLimit(actor) === undefined;
  const first = sql`order by u.reported_at desc, u.email limit ${limit + 1}`;
  const { rows } = await db.execute<UndeliverableAddress>(sql`
    with u as materialized (
      select u.email, u.cause, u.detail, u.reported_at from undeliverable_addresses u
      where u.company_id = ${companyId}::uuid and ${email === undefined ? sql`true` : sql`u.email = ${email.trim().toLowerCase()}`}
        and ${cursor === undefined ? sql`true` : isAfter(cursor)} ${seesAll ? first : sql``}
    ), owner as (
      select distinct on (a.email) a.email, c.id, c.name from ${selectClientAddresses(companyId)} a
      join u on u.email = a.email join clients c on c.company_id = ${companyId}::uuid and c.id = a.client_id
      where ${clientId === undefined ? sql`true` : sql`a.client_id = ${clientId}::uuid`}
        and ${isVisibleTo(actor, sql`c.company_id`, sql`c.id`) ?? sql`true`}
      order by a.email, c.name, c.id
    )
    select u.email, u.cause, u.detail, to_char(u.reported_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as reported_at,
      case when o.id is not null then json_build_object('client_id', o.id, 'name', o.name) end as client
    from u left join owner o on o.email = u.email where ${seesAll ? sql`true` : sql`o.id is not null`} ${first}`);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { addresses: page, next_cursor: last && rows.length > page.length ? `${last.reported_at} ${last.email}` : null };
}

function isAfter(cursor: string) {
  const [at = '', email = ''] = cursor.split(' ');
  if (parseInstant(at) === undefined)
    throw new AppError('invalid', 'input.invalid', 'Reload the list from the start.', { field: 'cursor' });
  return sql`u.reported_at <= ${at}::timestamptz and (u.reported_at < ${at}::timestamptz or u.email > ${email})`;
}
