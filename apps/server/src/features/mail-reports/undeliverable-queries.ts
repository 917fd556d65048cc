import type { UndeliverableAddress } from '@portal/contract/mail-reports.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { undeliverableAddresses } from '@portal/db/schema/schema.ts';
import { and, desc, eq, sql, type SQL } from '@portal/db/sql.ts';
import type { Actor } from '../../http/session.ts';
import { isAddress } from '../../mail/undeliverable-addresses.ts';
import { getAssigneeLimit, isVisibleTo } from '../positions/visible-clients.ts';
import { clientAddresses } from './addresses-of-client.ts';

const MAX_LISTED = 200;

type Client = UndeliverableAddress['client'];

/** An admin sees all addresses, a team member those of assigned clients. */
export function listUndeliverable(
  db: Db | Tx,
  companyId: string,
  actor: Actor,
  { clientId, email }: { readonly clientId?: string; readonly email?: string } = {},
): Promise<UndeliverableAddress[]> {
  const isOfClient = clientId === undefined ? sql`true` : sql`a.client_id = ${clientId}::uuid`;
  const client = sql<Client>`(select json_build_object('client_id', c.id, 'name', c.name)
    from ${clientAddresses(companyId)} a join clients c on c.company_id = ${companyId}::uuid and c.id = a.client_id
    where a.email = undeliverable_addresses.email and ${isOfClient} and ${isVisibleTo(actor, sql`c.company_id`, sql`c.id`) ?? sql`true`}
    order by c.name, c.id limit 1)`;
  const seesAll = clientId === undefined && getAssigneeLimit(actor) === undefined;
  const mayBeSeen: SQL | undefined = seesAll ? undefined : sql`${client} is not null`;
  return db
    .select({
      email: undeliverableAddresses.email,
      cause: undeliverableAddresses.cause,
      detail: undeliverableAddresses.detail,
      reported_at: undeliverableAddresses.reportedAt,
      client,
    })
    .from(undeliverableAddresses)
    .where(and(email === undefined ? eq(undeliverableAddresses.companyId, companyId) : isAddress(companyId, email), mayBeSeen))
    .orderBy(desc(undeliverableAddresses.reportedAt), undeliverableAddresses.email)
    .limit(MAX_LISTED);
}
