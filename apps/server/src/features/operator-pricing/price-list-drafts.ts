/** The draft of the next price list, and its publication by two operators. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { operatorPricingApi } from '@portal/contract/operator-pricing.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { priceListDrafts, subscriptions } from '@portal/db/schema/schema.ts';
import { ne, sql } from '@portal/db/sql.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { formatPounds, pence } from '@portal/domain/money.ts';
import { formatDate, type PlainDate } from '@portal/domain/plain-date.ts';
import { findPriceList, validatePriceList, type PriceList, type PriceTier } from '@portal/domain/pricing/price-list.ts';
import { z } from 'zod';
import type { AppDeps } from '../../app-deps.ts';
import type { Call } from '../../http/serve-contract.ts';
import { lockCompany } from '../advances/transition-advance.ts';
import type { ApprovalAction } from '../approvals/approval-action.ts';
import { requestApproval } from '../approvals/request-approval.ts';
import { NO_COMPANY, recordAudit } from '../audit/record-audit.ts';
import { listPriceLists } from '../pricing/practice-prices.ts';
import { publishPriceList } from '../pricing/publish-price-list.ts';
import { toWireTier } from '../pricing/to-wire-tier.ts';

type PriceListDraft = Call<typeof operatorPricingApi.saveDraft>['input'];

export async function listPricing({ database: { db }, clock }: AppDeps): Promise<EndpointOutput<typeof operatorPricingApi.lists>> {
  const today = clock.today();
  const lists = await listPriceLists(db);
  const subscribers = await countSubscribers(db);
  const draft = await findDraft(db);
  const nextVersion = getNextVersion(lists);
  const current = findPriceList(lists, today, null);
  return {
    today,
    lists: lists.toReversed().map((list) => ({
      version: list.version,
      mode: list.mode,
      published_on: list.publishedOn,
      effective_from: list.effectiveFrom,
      existing_from: list.existingFrom,
      subscribers: subscribers.get(list.version)?.practices ?? 0,
      monthly_net_pence: pence(subscribers.get(list.version)?.netPence ?? 0),
      tiers: list.tiers.map(toWireTier),
      is_current: list === current,
    })),
    draft: draft ?? null,
    problems: draft ? validatePriceList(toPriceList(draft, nextVersion, today)) : [],
    next_version: nextVersion,
  };
}

export function saveDraft({ database, clock }: AppDeps, { input, actor, caller }: Call<typeof operatorPricingApi.saveDraft>) {
  return database.db.transaction(async (tx) => {
    const existing = await findDraft(tx);
    await tx
      .insert(priceListDrafts)
      .values({ id: 1, draft: input })
      .onConflictDoUpdate({ target: priceListDrafts.id, set: { draft: input } });
    const entry = { companyId: NO_COMPANY, at: clock.now(), actor: actor.userId, subject: 'price_list_draft', ip: caller.ip };
    await recordAudit(tx, { ...entry, action: 'price_list.drafted', before: existing, after: input });
    const version = getNextVersion(await listPriceLists(tx));
    return { problems: validatePriceList(toPriceList(input, version, clock.today())) };
  });
}

export function deleteDraft({ database, clock }: AppDeps, { actor, caller }: Call<typeof operatorPricingApi.deleteDraft>) {
  return database.db.transaction(async (tx) => {
    const existing = await findDraft(tx);
    await tx.delete(priceListDrafts);
    const entry = { companyId: NO_COMPANY, at: clock.now(), actor: actor.userId, subject: 'price_list_draft', ip: caller.ip };
    if (existing) await recordAudit(tx, { ...entry, action: 'price_list.draft_deleted', before: existing });
    return { done: true as const };
  });
}

const listDetails = z.object({
  version: z.int(),
  draft: z.custom<PriceListDraft>((value) => operatorPricingApi.saveDraft.input.safeParse(value).success),
});
type ListDetails = z.output<typeof listDetails>;

const MODES: Readonly<Record<PriceListDraft['mode'], string>> = {
  volume: 'All connections have the price of the tier reached.',
  graduated: 'Each connection has the price of its own tier.',
};

/** Everything that decides what a practice pays: a tier may be cheap by its size or what it includes. */
function describeTier({ name, from, to, included, base_pence: base, unit_price_pence: unit }: PriceListDraft['tiers'][number]): string {
  const size = to === null ? `${from} connections or more` : `${from} to ${to} connections`;
  return `${name} (${size}) ${formatPounds(base)} with ${included} included, plus ${formatPounds(unit)} for each additional one`;
}

export const PUBLISH_PRICE_LIST: ApprovalAction<ListDetails> = {
  action: 'price_list.publish',
  access: 'operator.manage',
  details: listDetails,
  describe: ({ version, draft }) => {
    const { effective_from: from, mode, tiers } = draft;
    return `Publishes version ${version} of our prices for new customers from ${formatDate(from)}: ${tiers.map(describeTier).join('; ')}. ${MODES[mode]} Existing customers keep their prices.`;
  },
  apply: async (tx, { clock }, { details: { version, draft }, requestedBy, by, at, ip }) => {
    const list = toPriceList(draft, version, clock.today());
    const problems = validatePriceList(list);
    if (problems.length > 0)
      throw new AppError(
        'conflict',
        'price_list.invalid',
        `${problems.join(' ')} Reject this request, change the draft and make a new request.`,
      );
    const next = getNextVersion(await listPriceLists(tx));
    if (next !== version)
      throw new AppError(
        'conflict',
        'price_list.superseded',
        `Version ${version} has since been published. Reject this request and make a new one.`,
      );
    await publishPriceList(tx, list);
    await tx.delete(priceListDrafts);
    const subject = `price_list ${version}`;
    const after = { ...draft, version, requested_by: requestedBy };
    await recordAudit(tx, { companyId: NO_COMPANY, at, actor: by, action: 'price_list.published', subject, after, ip });
  },
};

export function requestPublication(deps: AppDeps, { input, actor, caller }: Call<typeof operatorPricingApi.requestPublication>) {
  return deps.database.db.transaction(async (tx) => {
    await lockCompany(tx, NO_COMPANY);
    const draft = await findDraft(tx);
    if (!draft) throw new AppError('conflict', 'price_list.no_draft', 'There’s no draft to publish. Save one first.');
    const version = getNextVersion(await listPriceLists(tx));
    const problems = validatePriceList(toPriceList(draft, version, deps.clock.today()));
    if (problems.length > 0) throw new AppError('impossible', 'price_list.invalid', problems.join(' '));
    return requestApproval(deps, tx, PUBLISH_PRICE_LIST, {
      companyId: NO_COMPANY,
      subject: 'price_list',
      details: { version, draft },
      reason: input.reason,
      requestedBy: actor.userId,
      at: deps.clock.now(),
      ip: caller.ip,
    });
  });
}

async function countSubscribers(db: Db): Promise<Map<number, { practices: number; netPence: number }>> {
  const rows = await db
    .select({
      version: subscriptions.priceListVersion,
      practices: sql`count(*)`.mapWith(Number),
      netPence: sql`sum(${subscriptions.netPence})`.mapWith(Number),
    })
    .from(subscriptions)
    .where(ne(subscriptions.status, 'ended'))
    .groupBy(subscriptions.priceListVersion);
  return new Map(rows.map(({ version, ...counted }) => [version, counted]));
}

async function findDraft(db: Db | Tx): Promise<PriceListDraft | undefined> {
  const [row] = await db.select({ draft: priceListDrafts.draft }).from(priceListDrafts);
  return row && operatorPricingApi.saveDraft.input.parse(row.draft);
}

function getNextVersion(lists: readonly PriceList[]): number {
  return Math.max(0, ...lists.map(({ version }) => version)) + 1;
}

function toPriceList(draft: PriceListDraft, version: number, publishedOn: PlainDate): PriceList {
  const tiers = draft.tiers.map(({ base_pence: basePence, unit_price_pence: unitPence, ...tier }): PriceTier => ({
    ...tier,
    basePence,
    unitPence,
  }));
  const { mode, effective_from: effectiveFrom } = draft;
  // Subscribers aren't moved to a later list automatically (decision 57), so the page doesn't state a date.
  return { version, mode, publishedOn, effectiveFrom, existingFrom: null, tiers };
}
