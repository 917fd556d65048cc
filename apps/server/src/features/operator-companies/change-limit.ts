/** Changes the exposure limit of one company or of all companies together. One operator requests the change, and another approves it. */
import { randomUUID } from 'node:crypto';
import type { operatorCompaniesApi } from '@portal/contract/operator-companies.ts';
import { companies, exposureLimits } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { getAdvanceTerms } from '@portal/domain/advances/advance-terms.ts';
import { formatPounds, pence } from '@portal/domain/money.ts';
import { eq } from '@portal/db/sql.ts';
import { z } from 'zod';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Call } from '../../http/serve-contract.ts';
import { loadExposureLimits } from '../advances/exposure.ts';
import { lockCompany } from '../advances/transition-advance.ts';
import type { ApprovalAction } from '../approvals/approval-action.ts';
import { requestApproval } from '../approvals/request-approval.ts';
import { NO_COMPANY, recordAudit } from '../audit/record-audit.ts';
import type { Db, Tx } from '@portal/db/database.ts';

const limitDetails = z.object({ company_name: z.nullable(z.string()), before_pence: z.int(), limit_pence: z.int().min(0) });
type LimitDetails = z.output<typeof limitDetails>;

export const changeLimitAction: ApprovalAction<LimitDetails> = {
  action: 'exposure_limit.change',
  access: 'operator.manage',
  details: limitDetails,
  describe: ({ company_name: name, before_pence: previousLimit, limit_pence: limit }) =>
    `Changes the exposure limit ${name === null ? 'for all companies together' : `of ${name}`} from ${formatPounds(pence(previousLimit))} to ${formatPounds(pence(limit))}.`,
  apply: async (tx, deps, { companyId, details, reason, requestedBy, by, at, ip }) => {
    const current = await getLimit(deps, tx, companyId);
    if (current !== details.before_pence) {
      throw new AppError(
        'conflict',
        'exposure_limit.changed',
        `The limit is now ${formatPounds(pence(current))}. Reject this request and make a new one.`,
      );
    }
    await tx.insert(exposureLimits).values({
      id: randomUUID(),
      companyId: companyId === NO_COMPANY ? null : companyId,
      limitPence: pence(details.limit_pence),
      reason,
      requestedBy,
      decidedBy: by,
      setAt: at,
    });
    await recordAudit(tx, {
      companyId,
      at,
      actor: by,
      action: 'exposure_limit.changed',
      subject: companyId,
      before: { limit_pence: current },
      after: { limit_pence: details.limit_pence, requested_by: requestedBy },
      ip,
    });
  },
};

/** Finds the limit that applies to one company, or to all companies together. */
async function getLimit(deps: AppDeps, db: Db | Tx, companyId: string): Promise<number> {
  const terms = getAdvanceTerms(deps.clock.today());
  if (companyId === NO_COMPANY) return (await loadExposureLimits(db, undefined, terms)).totalExposureLimitPence;
  return (await loadExposureLimits(db, companyId, terms)).companyExposureLimitPence;
}

export function requestLimitChange(deps: AppDeps, { input, actor, caller }: Call<typeof operatorCompaniesApi.changeLimit>) {
  const companyId = input.company_id ?? NO_COMPANY;
  return deps.database.db.transaction(async (tx) => {
    await lockCompany(tx, companyId);
    const [company] = await tx.select({ name: companies.name }).from(companies).where(eq(companies.id, companyId));
    if (input.company_id !== null && !company) throw createNotFoundError();
    const currentLimit = await getLimit(deps, tx, companyId);
    if (currentLimit === input.limit_pence) {
      throw new AppError('impossible', 'exposure_limit.same', `The limit is already ${formatPounds(pence(currentLimit))}.`, {
        field: 'limit_pence',
      });
    }
    return requestApproval(deps, tx, changeLimitAction, {
      companyId,
      subject: companyId,
      details: { company_name: company?.name ?? null, before_pence: currentLimit, limit_pence: input.limit_pence },
      reason: input.reason,
      requestedBy: actor.userId,
      at: deps.clock.now(),
      ip: caller.ip,
    });
  });
}
