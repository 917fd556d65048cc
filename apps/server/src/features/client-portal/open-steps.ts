/**
 * Returns what a client's user still has to provide: their phone number, consent, and the letter of engagement. An invitation asks for
 * exactly this.
 */
import type { clientPortalApi } from '@portal/contract/client-portal.ts';
import type { Db } from '@portal/db/database.ts';
import { clientPeople, engagementLetters, users } from '@portal/db/schema/schema.ts';
import { and, eq, isNull } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Call } from '../../http/serve-contract.ts';
import { recordAudit } from '../audit/record-audit.ts';

type ClientKey = { readonly practiceId: string; readonly clientId: string };
export type OpenSteps = { readonly phone: boolean; readonly consent: boolean; readonly letter: boolean };

export async function getOpenSteps(db: Db, key: ClientKey, userId: string): Promise<OpenSteps> {
  const [clientPerson] = await db
    .select({ phone: users.phone, consentedAt: clientPeople.consentedAt })
    .from(clientPeople)
    .innerJoin(users, eq(users.id, clientPeople.userId))
    .where(and(eq(clientPeople.companyId, key.practiceId), eq(clientPeople.clientId, key.clientId), eq(clientPeople.userId, userId)));
  return {
    phone: (clientPerson?.phone ?? '') === '',
    consent: clientPerson !== undefined && clientPerson.consentedAt === null,
    letter: await hasUnsignedLetter(db, key),
  };
}

export async function hasUnsignedLetter(db: Db, { practiceId, clientId }: ClientKey): Promise<boolean> {
  const [letter] = await db
    .select({ id: engagementLetters.id })
    .from(engagementLetters)
    .where(
      and(
        eq(engagementLetters.companyId, practiceId),
        eq(engagementLetters.clientId, clientId),
        isNull(engagementLetters.supersededAt),
        isNull(engagementLetters.signedAt),
      ),
    );
  return letter !== undefined;
}

export function recordConsent(deps: AppDeps, { tenant, actor, caller }: Call<typeof clientPortalApi.consent>): Promise<{ done: true }> {
  const { practiceId: companyId, clientId } = tenant;
  const at = deps.clock.now();
  return deps.database.db.transaction(async (tx) => {
    const isPerson = and(eq(clientPeople.companyId, companyId), eq(clientPeople.clientId, clientId), eq(clientPeople.userId, actor.userId));
    const [clientPerson] = await tx.select({ consentedAt: clientPeople.consentedAt }).from(clientPeople).where(isPerson).for('update');
    if (!clientPerson) throw createNotFoundError();
    if (clientPerson.consentedAt !== null) return { done: true };
    await tx.update(clientPeople).set({ consentedAt: at }).where(isPerson);
    const entry = { companyId, at, actor: actor.userId, action: 'client.person_consented', subject: clientId, ip: caller.ip };
    await recordAudit(tx, entry);
    return { done: true };
  });
}
