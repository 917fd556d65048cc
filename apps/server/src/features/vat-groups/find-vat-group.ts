/** Reads who is in a client's VAT group: the representative member is the client whose VAT number is the number of the members' group. */
import type { VatGroup } from '@portal/contract/vat-groups.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { clients } from '@portal/db/schema/schema.ts';
import type { VatGroupRole } from '@portal/domain/clients/vat-group.ts';
import { and, asc, eq, sql } from '@portal/db/sql.ts';
import type { Actor } from '../../http/session.ts';
import { isVisibleTo } from '../positions/visible-clients.ts';

/**
 * The role of the row of `clients`, also if only its members say that it represents them (`findVatGroup`). The subquery names the table
 * itself: Drizzle omits it when it selects from one table, and the column would then be the member's.
 */
export const VAT_GROUP_ROLE = sql<VatGroupRole | null>`coalesce(${clients.vatGroupRole}, case when ${clients.vrn} is not null and exists (
  select from clients m where m.company_id = clients.company_id and m.vat_group_vrn = clients.vrn) then 'representative' end)`;

type VatGroupClient = Pick<typeof clients.$inferSelect, 'companyId' | 'vrn' | 'vatGroupRole' | 'vatGroupVrn'>;

/** Returns the client's group, with the clients in it that the user can see. Null if the client isn't known to be in one. */
export async function findVatGroup(
  db: Db,
  { companyId, vrn, vatGroupRole: role, vatGroupVrn }: VatGroupClient,
  actor: Actor,
): Promise<VatGroup | null> {
  const namedColumns = { client_id: clients.id, name: clients.name };
  const isVisible = isVisibleTo(actor, clients.companyId, clients.id);
  if (role === 'member') {
    const [representative] =
      vatGroupVrn === null
        ? []
        : await db
            .select(namedColumns)
            .from(clients)
            .where(and(eq(clients.companyId, companyId), eq(clients.vrn, vatGroupVrn), isVisible));
    return { role, vrn: vatGroupVrn, representative: representative ?? null, members: [] };
  }
  if (vrn === null) return null;
  const members = await db
    .select(namedColumns)
    .from(clients)
    .where(and(eq(clients.companyId, companyId), eq(clients.vatGroupVrn, vrn), isVisible))
    .orderBy(asc(clients.name), asc(clients.id));
  // An import records members also where it doesn't say that the client with their number represents them.
  const isRepresentative = role === 'representative' || members.length > 0 || (await hasMembers(db, { companyId, vrn }));
  return isRepresentative ? { role: 'representative', vrn, representative: null, members } : null;
}

/** Returns whether clients of the practice are members of the group that this client represents. */
export async function hasMembers(db: Db | Tx, { companyId, vrn }: Pick<VatGroupClient, 'companyId' | 'vrn'>): Promise<boolean> {
  if (vrn === null) return false;
  const [member] = await db
    .select({ found: sql`1` })
    .from(clients)
    .where(and(eq(clients.companyId, companyId), eq(clients.vatGroupVrn, vrn)))
    .limit(1);
  return member !== undefined;
}
