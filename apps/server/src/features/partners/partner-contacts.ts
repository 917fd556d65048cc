/** A partner's contacts, who can see its referrals. Operators add and remove them, and each change is audited. */
import type { operatorPartnersApi } from '@portal/contract/partners.ts';
import { PAGES } from '@portal/contract/pages.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { Db } from '@portal/db/database.ts';
import { advances, companies, partnerContacts, users } from '@portal/db/schema/schema.ts';
import { AppError, createInvalidFieldError } from '@portal/domain/app-error.ts';
import { pence } from '@portal/domain/money.ts';
import { ORGANIC_PARTNER } from '@portal/domain/partners/partner-name.ts';
import { PARTNERS } from '@portal/domain/partners/partner-table.ts';
import type { Partner } from '@portal/domain/partners/partner.ts';
import { and, asc, count, eq, isNotNull, sum } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Call } from '../../http/serve-contract.ts';
import { enqueueEmail } from '../../mail/enqueue-email.ts';
import { NO_COMPANY, recordAudit } from '../audit/record-audit.ts';

/** Partners that refer traders to us, and so have referrals. */
const REFERRERS: readonly Partner[] = PARTNERS.filter(({ name, product }) => product === 'instant_vat' && name !== ORGANIC_PARTNER);

/** Finds a partner that refers traders. Returns undefined for any other name. */
export function findReferrer(name: string): Partner | undefined {
  return REFERRERS.find((partner) => partner.name === name);
}

/** Lists the partners for which a user is a contact, in the order of `PARTNERS`. */
export async function listOwnPartners(db: Db, userId: string): Promise<Partner[]> {
  const rows = await db.select({ partner: partnerContacts.partner }).from(partnerContacts).where(eq(partnerContacts.userId, userId));
  return REFERRERS.filter(({ name }) => rows.some(({ partner }) => partner === name));
}

export async function listPartners(db: Db): Promise<EndpointOutput<typeof operatorPartnersApi.list>> {
  const [currentPartnerCounts, first, last, purchases, contacts] = await Promise.all([
    db.select({ name: companies.partner, sum: count() }).from(companies).where(eq(companies.kind, 'trader')).groupBy(companies.partner),
    db.select({ name: users.firstPartner, sum: count() }).from(users).groupBy(users.firstPartner),
    db.select({ name: users.lastPartner, sum: count() }).from(users).groupBy(users.lastPartner),
    db
      .select({
        name: companies.partner,
        sum: count(),
        refunds: sum(advances.refundPence).mapWith(Number),
        fees: sum(advances.feePence).mapWith(Number),
      })
      .from(advances)
      .innerJoin(companies, eq(companies.id, advances.companyId))
      .where(isNotNull(advances.paidAt))
      .groupBy(companies.partner),
    db
      .select({ contact: partnerContacts, fullName: users.fullName, email: users.email })
      .from(partnerContacts)
      .innerJoin(users, eq(users.id, partnerContacts.userId))
      .orderBy(asc(users.email)),
  ]);
  const getSum = (rows: { name: string | null; sum: number }[], name: string): number => rows.find((row) => row.name === name)?.sum ?? 0;
  return {
    partners: REFERRERS.map(({ name, logoText, kind, feeRateBps, referralOwner }) => ({
      name,
      logo_text: logoText,
      kind,
      fee_rate_bps: feeRateBps,
      referral_owner: referralOwner,
      companies: getSum(currentPartnerCounts, name),
      first_touch: getSum(first, name),
      last_touch: getSum(last, name),
      refunds_bought: getSum(purchases, name),
      refunds_pence: pence(purchases.find((row) => row.name === name)?.refunds ?? 0),
      fees_pence: pence(purchases.find((row) => row.name === name)?.fees ?? 0),
      contacts: contacts
        .filter(({ contact }) => contact.partner === name)
        .map(({ contact, fullName, email }) => ({ user_id: contact.userId, full_name: fullName, email, added_at: contact.addedAt })),
    })),
  };
}

export async function addContact(
  deps: AppDeps,
  { input, actor, caller }: Call<typeof operatorPartnersApi.addContact>,
): Promise<{ done: true }> {
  const partner = getReferrer(input.partner);
  const at = deps.clock.now();
  await deps.database.db.transaction(async (tx) => {
    const [user] = await tx.select({ id: users.id }).from(users).where(eq(users.email, input.email));
    if (!user) throw createInvalidFieldError('email', 'There’s no account with this email address. Ask the person to sign up first.');
    const addedContacts = await tx
      .insert(partnerContacts)
      .values({ partner: partner.name, userId: user.id, addedAt: at, addedBy: actor.userId })
      .onConflictDoNothing()
      .returning({ userId: partnerContacts.userId });
    if (addedContacts.length === 0) return;
    await recordAudit(tx, {
      companyId: NO_COMPANY,
      at,
      actor: actor.userId,
      action: 'partner.contact_added',
      subject: user.id,
      after: { partner: partner.name },
      ip: caller.ip,
    });
    await enqueueEmail(deps, tx, input.email, {
      subject: `You can now see ${partner.logoText}’s referrals`,
      preheader: 'See which companies were referred and the stage of each.',
      heading: `You can now see ${partner.logoText}’s referrals`,
      paragraphs: [`See which companies ${partner.logoText} has referred to us and the stage of each. You won’t see any amounts.`],
      action: { label: 'See referrals', path: PAGES.partnerReferrals.path },
      reason: `You’re receiving this because ${deps.site.brand} added you as a contact of ${partner.logoText}.`,
    });
  });
  return { done: true };
}

export async function removeContact(
  deps: AppDeps,
  { input, actor, caller }: Call<typeof operatorPartnersApi.removeContact>,
): Promise<{ done: true }> {
  await deps.database.db.transaction(async (tx) => {
    const removedContacts = await tx
      .delete(partnerContacts)
      .where(and(eq(partnerContacts.partner, input.partner), eq(partnerContacts.userId, input.user_id)))
      .returning({ userId: partnerContacts.userId });
    if (removedContacts.length === 0) return;
    await recordAudit(tx, {
      companyId: NO_COMPANY,
      at: deps.clock.now(),
      actor: actor.userId,
      action: 'partner.contact_removed',
      subject: input.user_id,
      before: { partner: input.partner },
      ip: caller.ip,
    });
  });
  return { done: true };
}

function getReferrer(name: string): Partner {
  const partner = findReferrer(name);
  if (!partner) throw new AppError('invalid', 'partner.unknown', 'There’s no partner with this name.', { field: 'partner' });
  return partner;
}
