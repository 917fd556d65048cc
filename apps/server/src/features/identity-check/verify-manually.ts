import { randomUUID } from 'node:crypto';
import { identityChecks, memberships, users } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Caller } from '../../http/serve-contract.ts';
import type { Actor } from '../../http/session.ts';
import { enqueueProgressOfOwner } from '../advances/enqueue-progress.ts';
import { recordAudit } from '../audit/record-audit.ts';

export type ManualVerification = {
  readonly company_id: string;
  readonly user_id: string;
  readonly full_name: string;
  readonly evidence: string;
};

/**
 * Records that an operator verified an owner whom the provider can't check. The name must be the one on the document, because it is
 * compared with the company's officers.
 */
export async function verifyManually(deps: AppDeps, actor: Actor, caller: Caller, check: ManualVerification): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    const [owner] = await tx
      .select({ email: users.email })
      .from(memberships)
      .innerJoin(users, eq(users.id, memberships.userId))
      .where(and(eq(memberships.companyId, check.company_id), eq(memberships.userId, check.user_id), eq(memberships.role, 'trader_owner')));
    if (!owner) throw createNotFoundError();
    const id = randomUUID();
    const at = deps.clock.now();
    await tx.insert(identityChecks).values({
      id,
      userId: check.user_id,
      fullName: check.full_name,
      email: owner.email,
      providerCheckId: null,
      status: 'passed',
      reasons: [],
      createdAt: at,
      completedAt: at,
      verifiedBy: actor.userId,
      evidence: check.evidence,
    });
    await recordAudit(tx, {
      companyId: check.company_id,
      at,
      actor: actor.userId,
      action: 'identity_check.verified_by_hand',
      subject: id,
      after: { user_id: check.user_id, full_name: check.full_name, evidence: check.evidence },
      ip: caller.ip,
    });
    await enqueueProgressOfOwner(deps, tx, check.user_id);
  });
}
