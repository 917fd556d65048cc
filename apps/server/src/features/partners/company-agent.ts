/**
 * The accountant that acts for a trader: set by signing up through the accountant's landing page or later, and ended by the trader at any
 * time.
 */
import { randomUUID } from 'node:crypto';
import type { agentApi } from '@portal/contract/partners.ts';
import type { OutputOf } from '@portal/contract/endpoint.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { companies, companyAgents } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import type { Partner } from '@portal/domain/partners/partner.ts';
import { findPartner } from '@portal/domain/partners/partners.ts';
import { and, eq, isNull } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import { nothingHere } from '../../http/policies.ts';
import { lockCompany } from '../advances/move-advance.ts';
import { recordAudit } from '../audit/record-audit.ts';

type Who = { readonly userId: string; readonly ip: string };

const named = ({ name, logoText }: Partner) => ({ name, logo_text: logoText });

export async function findAgent(db: Db, companyId: string): Promise<OutputOf<typeof agentApi.find>> {
  const [company] = await db.select({ partner: companies.partner }).from(companies).where(eq(companies.id, companyId));
  if (!company) throw nothingHere();
  const agent = await findLive(db, companyId);
  const accountant = accountantOf(company.partner);
  return {
    agent: agent ? { ...named(findPartner(agent.partner)), since: agent.setAt } : null,
    may_set: accountant ? { ...named(accountant), consent_text: accountant.consentText } : null,
  };
}

/** A repeated request has no effect. */
export async function setAgent(deps: AppDeps, companyId: string, who: Who): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    await lockCompany(tx, companyId);
    const [company] = await tx.select({ partner: companies.partner }).from(companies).where(eq(companies.id, companyId));
    const accountant = company && accountantOf(company.partner);
    if (!accountant)
      throw new AppError('conflict', 'agent.none_offered', 'No accountant sent this company, so there is none to set as its agent.');
    await keepAgent(deps, tx, companyId, accountant.name, who);
  });
}

/** The accountant's landing page announces it, so an accountant that sent the trader is the agent from the first day. */
export async function keepAgent(deps: AppDeps, tx: Tx, companyId: string, partnerName: string, who: Who): Promise<void> {
  const accountant = accountantOf(partnerName);
  if (!accountant || (await findLive(tx, companyId))) return;
  const at = deps.clock.now();
  await tx.insert(companyAgents).values({
    companyId,
    id: randomUUID(),
    partner: accountant.name,
    consentText: accountant.consentText,
    setAt: at,
    setBy: who.userId,
  });
  await recordAudit(tx, {
    companyId,
    at,
    actor: who.userId,
    action: 'agent.set',
    subject: companyId,
    after: { partner: accountant.name, consent: accountant.consentText },
    ip: who.ip,
  });
}

/** A repeated request has no effect. */
export async function endAgent(deps: AppDeps, companyId: string, who: Who): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    const at = deps.clock.now();
    const [ended] = await tx
      .update(companyAgents)
      .set({ endedAt: at, endedBy: who.userId })
      .where(and(eq(companyAgents.companyId, companyId), isNull(companyAgents.endedAt)))
      .returning({ partner: companyAgents.partner });
    if (!ended) return;
    await recordAudit(tx, { companyId, at, actor: who.userId, action: 'agent.ended', subject: companyId, before: ended, ip: who.ip });
  });
}

function accountantOf(partnerName: string): Partner | undefined {
  const partner = findPartner(partnerName);
  return partner.kind === 'accountancy' ? partner : undefined;
}

async function findLive(db: Db | Tx, companyId: string): Promise<typeof companyAgents.$inferSelect | undefined> {
  const [agent] = await db
    .select()
    .from(companyAgents)
    .where(and(eq(companyAgents.companyId, companyId), isNull(companyAgents.endedAt)));
  return agent;
}
