/**
 * The current permissions of a practice's assistant. Read before every batch and every action, so that stopping it takes effect immediately
 * on every instance.
 */
import type { Tx, Db } from '@portal/db/database.ts';
import { agentSettings } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { AppError } from '@portal/domain/app-error.ts';

export type AgentSettings = typeof agentSettings.$inferSelect;

export async function readAgentSettings(db: Db | Tx, companyId: string): Promise<AgentSettings | undefined> {
  const [row] = await db.select().from(agentSettings).where(eq(agentSettings.companyId, companyId));
  return row;
}

/** Returns whether rules may run and actions may start. */
export function isRunning(settings: AgentSettings | undefined): settings is AgentSettings {
  return settings !== undefined && settings.mode !== 'off' && settings.pausedAt === null;
}

/**
 * Throws if the assistant is off or stopped. Locks the row until the transaction ends, so that stopping it waits for actions that have
 * started and prevents new ones.
 */
export async function assertRunning(tx: Tx, companyId: string): Promise<AgentSettings> {
  const [row] = await tx.select().from(agentSettings).where(eq(agentSettings.companyId, companyId)).for('share');
  if (!row || row.mode === 'off') throw new AppError('conflict', 'agent.off', 'The assistant is off. Ask an admin to switch it on.');
  if (row.pausedAt !== null) throw new AppError('conflict', 'agent.stopped', 'The assistant is paused. Ask an admin to resume it.');
  return row;
}
