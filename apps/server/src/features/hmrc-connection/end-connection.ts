/** Ends an HMRC connection once. The emails to every user who can reconnect are queued in the same transaction. */
import type { Tx } from '@portal/db/database.ts';
import { hmrcConnections, type ConnectionEndReason } from '@portal/db/schema/schema.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { and, eq, isNull } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { enqueueConnectionEmails } from './connection-emails.ts';

/** Identifies one authorisation. Authorising again creates a new one, and changes to the old one must not touch it. */
export type ConnectionKey = { readonly companyId: string; readonly connectedAt: Instant | null };

/** Returns a condition on `hmrc_connections` that matches exactly this authorisation while it is connected. */
export function isCurrentConnection({ companyId, connectedAt }: ConnectionKey) {
  return and(
    eq(hmrcConnections.companyId, companyId),
    eq(hmrcConnections.status, 'connected'),
    connectedAt === null ? isNull(hmrcConnections.connectedAt) : eq(hmrcConnections.connectedAt, connectedAt),
  );
}

/**
 * Returns false, changes nothing and sends no emails if the connection has already ended or been replaced. `actor` is a user's ID, "hmrc"
 * or "rules".
 */
export async function endConnection(
  deps: AppDeps,
  tx: Tx,
  connection: ConnectionKey,
  endReason: ConnectionEndReason,
  actor: string,
): Promise<boolean> {
  const { companyId } = connection;
  const at = deps.clock.now();
  const [endedConnection] = await tx
    .update(hmrcConnections)
    .set({
      status: 'lapsed',
      endedAt: at,
      endReason,
      accessToken: null,
      refreshToken: null,
      refreshLeaseUntil: null,
      refreshHolderId: null,
    })
    .where(isCurrentConnection(connection))
    .returning({ connectedAt: hmrcConnections.connectedAt });
  if (!endedConnection) return false;
  await recordAudit(tx, { companyId, at, actor, action: 'hmrc.ended', subject: companyId, after: { because: endReason } });
  await enqueueConnectionEmails(deps, tx, companyId, { change: 'ended', reason: endReason, connectedAt: endedConnection.connectedAt });
  return true;
}
