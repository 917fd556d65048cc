/** Promotion codes: two operators create one, because it gives money away; one operator can end it. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { promotionTerms, type operatorPricingApi } from '@portal/contract/operator-pricing.ts';
import { promotionCodes } from '@portal/db/schema/schema.ts';
import { asc, eq } from '@portal/db/sql.ts';
import { AppError, createInvalidFieldError } from '@portal/domain/app-error.ts';
import { formatPounds, pence } from '@portal/domain/money.ts';
import { PARTNERS } from '@portal/domain/partners/partner-table.ts';
import { addDays, formatDate, type PlainDate } from '@portal/domain/plain-date.ts';
import { findPriceList } from '@portal/domain/pricing/price-list.ts';
import { validatePromotion, type Promotion } from '@portal/domain/pricing/promotion.ts';
import { z } from 'zod';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Call } from '../../http/serve-contract.ts';
import { lockCompany } from '../advances/transition-advance.ts';
import type { ApprovalAction } from '../approvals/approval-action.ts';
import { requestApproval } from '../approvals/request-approval.ts';
import { NO_COMPANY, recordAudit } from '../audit/record-audit.ts';
import { listPriceLists } from '../pricing/practice-prices.ts';

type PromotionTerms = z.output<typeof promotionTerms>;
type PromotionCodesOutput = EndpointOutput<typeof operatorPricingApi.codes>;
type CodeStatus = PromotionCodesOutput['codes'][number]['status'];

const STATUS_ORDER: readonly CodeStatus[] = ['usable', 'not_started', 'used_up', 'ended'];

export async function listCodes({ database: { db }, clock }: AppDeps): Promise<PromotionCodesOutput> {
  const today = clock.today();
  const rows = await db.select().from(promotionCodes).orderBy(asc(promotionCodes.code));
  const codes = rows.map((row) => ({
    code: row.code,
    kind: row.kind,
    value: row.value,
    months: row.months,
    tiers: [...row.tiers],
    partners: [...row.partners],
    starts_on: row.startsOn,
    ends_on: row.endsOn,
    max_uses: row.maxUses,
    max_uses_per_practice: row.maxUsesPerPractice,
    uses: row.uses,
    status: getStatus(row, today),
  }));
  const lists = await listPriceLists(db);
  return {
    codes: codes.toSorted((a, b) => STATUS_ORDER.indexOf(a.status) - STATUS_ORDER.indexOf(b.status)),
    tiers: findPriceList(lists, today, null)?.tiers.map(({ name }) => name) ?? [],
    partners: PARTNERS.filter(({ product }) => product === 'open_tax').map(({ name, logoText }) => ({ name, label: logoText })),
  };
}

function getStatus({ startsOn, endsOn, maxUses, uses }: Promotion, today: PlainDate): CodeStatus {
  if (endsOn !== null && today > endsOn) return 'ended';
  if (today < startsOn) return 'not_started';
  return maxUses !== null && uses >= maxUses ? 'used_up' : 'usable';
}

export const CREATE_CODE: ApprovalAction<PromotionTerms> = {
  action: 'promotion_code.create',
  access: 'operator.manage',
  details: z.custom<PromotionTerms>((value) => promotionTerms.safeParse(value).success),
  describe: (terms) =>
    [
      `Creates the promotion code ${terms.code}: ${describeDiscount(terms)}`,
      `from ${formatDate(terms.starts_on)}${terms.ends_on === null ? '' : ` to ${formatDate(terms.ends_on)}`}`,
      terms.max_uses === null ? 'for any number of practices' : `at most ${formatUses(terms.max_uses)}`,
      `${formatUses(terms.max_uses_per_practice)} for each practice`,
      ...(terms.tiers.length > 0 ? [`only for ${terms.tiers.join(', ')}`] : []),
      ...(terms.partners.length > 0 ? [`only for practices referred by ${terms.partners.join(', ')}`] : []),
    ].join(', ') + '.',
  apply: async (tx, _deps, { details: terms, requestedBy, by, at, ip }) => {
    const insertedCodes = await tx
      .insert(promotionCodes)
      .values(toRow(terms))
      .onConflictDoNothing()
      .returning({ code: promotionCodes.code });
    if (insertedCodes.length === 0)
      throw new AppError('conflict', 'promotion_code.exists', `The code ${terms.code} already exists. Reject this request.`);
    const after = { ...terms, requested_by: requestedBy };
    await recordAudit(tx, { companyId: NO_COMPANY, at, actor: by, action: 'promotion_code.created', subject: terms.code, after, ip });
  },
};

export async function requestCode(deps: AppDeps, { input, actor, caller }: Call<typeof operatorPricingApi.requestCode>) {
  const { reason, ...terms } = input;
  await assertKnownNames(deps, terms);
  return deps.database.db.transaction(async (tx) => {
    await lockCompany(tx, NO_COMPANY);
    const [problem] = validatePromotion({ ...toRow(terms), uses: 0 });
    if (problem) throw createInvalidFieldError(problem.field, problem.message);
    const [existing] = await tx.select({ code: promotionCodes.code }).from(promotionCodes).where(eq(promotionCodes.code, terms.code));
    if (existing) throw createInvalidFieldError('code', 'This code already exists. A used code can’t be reused with different terms');
    return requestApproval(deps, tx, CREATE_CODE, {
      companyId: NO_COMPANY,
      subject: terms.code,
      details: terms,
      reason,
      requestedBy: actor.userId,
      at: deps.clock.now(),
      ip: caller.ip,
    });
  });
}

/** A misspelt tier or partner would create a code that can't be used. */
async function assertKnownNames(deps: AppDeps, { tiers, partners }: PromotionTerms): Promise<void> {
  const codesOutput = await listCodes(deps);
  const tier = tiers.find((name) => !codesOutput.tiers.includes(name));
  if (tier !== undefined) throw createInvalidFieldError('tiers', `${tier} isn’t a tier of the current price list`);
  const partner = partners.find((name) => !codesOutput.partners.some((partner) => partner.name === name));
  if (partner !== undefined) throw createInvalidFieldError('partners', `${partner} isn’t a partner of OpenTax`);
}

export function endCode({ database, clock }: AppDeps, { input, actor, caller }: Call<typeof operatorPricingApi.endCode>) {
  return database.db.transaction(async (tx) => {
    const [row] = await tx.select().from(promotionCodes).where(eq(promotionCodes.code, input.code)).for('update');
    if (!row) throw createNotFoundError();
    const yesterday = addDays(clock.today(), -1);
    if (row.endsOn !== null && row.endsOn <= yesterday) return { done: true as const };
    await tx.update(promotionCodes).set({ endsOn: yesterday }).where(eq(promotionCodes.code, row.code));
    await recordAudit(tx, {
      companyId: NO_COMPANY,
      at: clock.now(),
      actor: actor.userId,
      action: 'promotion_code.ended',
      subject: row.code,
      before: { ends_on: row.endsOn },
      after: { ends_on: yesterday, reason: input.reason },
      ip: caller.ip,
    });
    return { done: true as const };
  });
}

function toRow(terms: PromotionTerms) {
  return {
    code: terms.code,
    kind: terms.kind,
    value: terms.value,
    months: terms.months,
    tiers: terms.tiers,
    partners: terms.partners,
    startsOn: terms.starts_on,
    endsOn: terms.ends_on,
    maxUses: terms.max_uses,
    maxUsesPerPractice: terms.max_uses_per_practice,
  };
}

const formatUses = (count: number): string => `${count} ${count === 1 ? 'use' : 'uses'}`;

function describeDiscount({ kind, value, months }: PromotionTerms): string {
  if (kind === 'free_months') return `${value} free ${value === 1 ? 'month' : 'months'}`;
  const amount = kind === 'percent' ? `${value}% off` : `${formatPounds(pence(value))} off a month`;
  return months === null
    ? `${amount} for as long as the practice subscribes`
    : `${amount} for ${months} ${months === 1 ? 'month' : 'months'}`;
}
