import { hasPracticeRight } from '@portal/contract/practice-rights.ts';
import type { Tx } from '@portal/db/database.ts';
import { clientMembers, clients, memberships } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';

type ConnectRequest = { readonly practiceId: string; readonly userId: string; readonly clientId?: string };

/** Returns true if the user may manage the practice's connections, or those of one client. Used when a browser returns from a provider. */
export async function mayManageConnections(tx: Tx, { practiceId, userId, clientId }: ConnectRequest): Promise<boolean> {
  const [member] = await tx
    .select({ role: memberships.role, permissions: memberships.permissions })
    .from(memberships)
    .where(and(eq(memberships.companyId, practiceId), eq(memberships.userId, userId)))
    .for('share');
  const role = member?.role;
  if (role !== 'practice_admin' && role !== 'team_member') return false;
  if (!hasPracticeRight('practice.connections', role, member?.permissions ?? [])) return false;
  if (clientId === undefined) return true;
  const isClient = and(eq(clients.companyId, practiceId), eq(clients.id, clientId));
  const foundClients =
    role === 'practice_admin'
      ? await tx.select({ id: clients.id }).from(clients).where(isClient)
      : await tx
          .select({ id: clients.id })
          .from(clients)
          .innerJoin(
            clientMembers,
            and(eq(clientMembers.companyId, clients.companyId), eq(clientMembers.clientId, clients.id), eq(clientMembers.userId, userId)),
          )
          .where(isClient);
  return foundClients.length > 0;
}
