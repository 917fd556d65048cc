/** Keeps a practice from sending our emails to strangers by the thousand: anyone can create one. */
import type { Tx } from '@portal/db/database.ts';
import { hmrcConnections } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { AppError } from '@portal/domain/app-error.ts';
import type { AppDeps } from '../../app-deps.ts';
import { countToday } from '../identity/limit-attempts.ts';

/** The largest practices have 200 people. Only a real one has an agent services account to connect. */
const MAX_PER_DAY = { connected: 300, new: 50 } as const;
/** By all practices together: an invitation, and sending it again twice. */
const MAX_TO_ADDRESS_PER_DAY = 3;

/** Counts emails that are about to be sent. Throws `tooMany`, naming what to do. */
export async function limitInvitations({ wallClock }: AppDeps, tx: Tx, companyId: string, emails: readonly string[]): Promise<void> {
  const [connected] = await tx
    .select({ companyId: hmrcConnections.companyId })
    .from(hmrcConnections)
    .where(and(eq(hmrcConnections.companyId, companyId), eq(hmrcConnections.status, 'connected')));
  const max = MAX_PER_DAY[connected ? 'connected' : 'new'];
  if ((await countToday(tx, wallClock, `invitations:${companyId}`, emails.length)) > max) {
    const advice = connected ? '' : ' Once you’ve connected HMRC, you can send more.';
    const message = `A practice can send ${max} invitations a day, and these would be more. No one was invited. Invite fewer people, or continue tomorrow.${advice}`;
    throw new AppError('tooMany', 'team.too_many_invitations', message);
  }
  for (const email of emails.toSorted()) {
    if ((await countToday(tx, wallClock, `invited:${email}`, 1)) <= MAX_TO_ADDRESS_PER_DAY) continue;
    const message = `${email} has had ${MAX_TO_ADDRESS_PER_DAY} invitations by email today, so we didn’t send another one. No one was invited. Leave the address out, or try again tomorrow.`;
    throw new AppError('tooMany', 'team.invited_too_often', message);
  }
}
