/** Decides which of the selected clients can be invited, and at which email address. Uses one statement for any number of clients. */
import type { ClientSelection } from '@portal/contract/clients.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { sql } from '@portal/db/sql.ts';
import type { Instant } from '@portal/domain/clock.ts';
import type { NotInvitedReason } from '@portal/domain/invitation-runs/invitation-run.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { Actor } from '../../http/session.ts';
import { isUndeliverable } from '../../mail/undeliverable-addresses.ts';
import { listMatchingClients } from '../clients/select-clients.ts';
import { isVisibleTo } from '../positions/visible-clients.ts';

export type PlannedInvitation = {
  readonly clientId: string;
  readonly name: string;
  readonly email: string;
  readonly reason: NotInvitedReason | null;
};

type Scope = { readonly companyId: string; readonly actor: Actor; readonly today: PlainDate; readonly now: Instant };
type PlannedRow = {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly is_current: boolean;
  readonly has_access: boolean;
  readonly is_invited: boolean;
  readonly is_undeliverable: boolean;
};

/**
 * Returns the selected clients that the user may see, by name. The client's own email address takes precedence over its oldest contact's.
 */
export async function planInvitations(
  db: Db | Tx,
  scope: Scope,
  { client_ids: listedIds, matching }: ClientSelection,
): Promise<PlannedInvitation[]> {
  const { companyId, actor, now } = scope;
  const ids = matching ? await listMatchingClients(db, scope, matching) : [...new Set(listedIds)];
  const { rows } = await db.execute<PlannedRow>(sql`
    with chosen as (
      select c.id, c.name, c.status not in ('inactive', 'closed') as is_current, lower(trim(coalesce(nullif(c.email, ''),
        (select k.email from client_contacts k where k.company_id = c.company_id and k.client_id = c.id and k.email <> ''
          order by k.created_at, k.id limit 1)))) as email
      from clients c
      where c.company_id = ${companyId}::uuid
        and c.id in (select wanted.id::uuid from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb) as wanted(id))
        and ${isVisibleTo(actor, sql`c.company_id`, sql`c.id`) ?? sql`true`}
    )
    select c.*, exists (select from client_people p join users u on u.id = p.user_id
        where p.company_id = ${companyId}::uuid and p.client_id = c.id and u.email = c.email) as has_access,
      exists (select from client_invitations i where i.company_id = ${companyId}::uuid and i.client_id = c.id and i.email = c.email
        and i.accepted_at is null and i.revoked_at is null and i.bounced_at is null and i.sent_at is not null
        and i.expires_at > ${now}::timestamptz) as is_invited,
      ${isUndeliverable(companyId, sql`c.email`)} as is_undeliverable
    from chosen c order by c.name, c.id`);
  return rows.map((row) => ({ clientId: row.id, name: row.name, email: row.email ?? '', reason: findReason(row) }));
}

function findReason(row: PlannedRow): NotInvitedReason | null {
  if (!row.is_current) return 'archived';
  if (row.email === null) return 'no_email';
  if (row.has_access) return 'has_access';
  if (row.is_undeliverable) return 'undeliverable';
  return row.is_invited ? 'already_invited' : null;
}
