/** Handles the invited client’s side. The parts shared with team invitations are in features/invitations/. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { clientInvitationsApi } from '@portal/contract/client-invitations.ts';
import type { Tx } from '@portal/db/database.ts';
import { clientInvitations, clientPeople, clients, companies, users } from '@portal/db/schema/schema.ts';
import { and, eq, isNull } from '@portal/db/sql.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { alias } from 'drizzle-orm/pg-core';
import type { AppDeps } from '../../app-deps.ts';
import type { Call } from '../../http/serve-contract.ts';
import type { Actor } from '../../http/session.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { SignInResult } from '../identity/complete-sign-in.ts';
import { limitAttempts, toNetwork } from '../identity/limit-attempts.ts';
import { createLinkSpentError } from '../identity/sign-in-links.ts';
import { getBrand } from '../practice-brand/get-brand.ts';
import { acceptWithAccount, type InvitedPerson } from '../invitations/accept-with-account.ts';
import { isUsableInvitation, MAX_INVITATION_LINKS_PER_NETWORK } from '../invitations/invitation-link.ts';
import { enqueuePeopleChanged } from './client-portal-emails.ts';
import { getClientHome } from './own-clients.ts';
import { hasUnsignedLetter } from './open-steps.ts';
import { listRequests } from './portal-queries.ts';

type PublicCall<Name extends 'preview' | 'accept' | 'stopReminders'> = Call<(typeof clientInvitationsApi)[Name], Actor | undefined>;

const isUsable = (deps: AppDeps, token: string) => isUsableInvitation(deps, clientInvitations, token);

function limitLinks({ database, wallClock }: AppDeps, ip: string): Promise<void> {
  return limitAttempts(database.db, wallClock, { [`link-ip:${toNetwork(ip)}`]: MAX_INVITATION_LINKS_PER_NETWORK });
}

export async function previewClientInvitation(
  deps: AppDeps,
  { input, caller }: PublicCall<'preview'>,
): Promise<EndpointOutput<typeof clientInvitationsApi.preview>> {
  const { db } = deps.database;
  await limitLinks(deps, caller.ip);
  const inviter = alias(users, 'inviter');
  const [foundInvitation] = await db
    .select({
      companyId: clientInvitations.companyId,
      clientId: clientInvitations.clientId,
      practice: companies.name,
      client: clients.name,
      email: clientInvitations.email,
      invitedBy: inviter.fullName,
      accountId: users.id,
      expiresAt: clientInvitations.expiresAt,
      remindersEndedAt: clientInvitations.remindersEndedAt,
    })
    .from(clientInvitations)
    .innerJoin(companies, eq(companies.id, clientInvitations.companyId))
    .innerJoin(clients, and(eq(clients.companyId, clientInvitations.companyId), eq(clients.id, clientInvitations.clientId)))
    .innerJoin(inviter, eq(inviter.id, clientInvitations.invitedBy))
    .leftJoin(users, eq(users.email, clientInvitations.email))
    .where(isUsable(deps, input.token));
  if (!foundInvitation) throw createLinkSpentError();
  const isUnopened = and(isUsable(deps, input.token), isNull(clientInvitations.openedAt));
  await db.update(clientInvitations).set({ openedAt: deps.clock.now() }).where(isUnopened);
  const { practice, client, email, invitedBy, accountId, expiresAt, remindersEndedAt } = foundInvitation;
  const key = { practiceId: foundInvitation.companyId, clientId: foundInvitation.clientId };
  return {
    practice,
    brand: await getBrand(db, foundInvitation.companyId),
    client,
    email,
    invited_by: invitedBy,
    has_account: accountId !== null,
    // A usable link always has an expiry time.
    expires_at: expiresAt as Instant,
    reminders_ended: remindersEndedAt !== null,
    asks: {
      letter: await hasUnsignedLetter(db, key),
      authority: (await listRequests(db, key, deps.clock.today())).map(({ tax }) => tax),
    },
  };
}

export async function acceptClientInvitation(deps: AppDeps, call: PublicCall<'accept'>): Promise<SignInResult> {
  const { token } = call.input;
  const { ip } = call.caller;
  await limitLinks(deps, ip);
  const [invitation] = await deps.database.db.select().from(clientInvitations).where(isUsable(deps, token));
  if (!invitation) throw createLinkSpentError();
  return acceptWithAccount(deps, call, {
    product: 'open_tax',
    email: invitation.email,
    home: { type: 'client', home_path: getClientHome(invitation.clientId) },
    isUsable: async () => (await deps.database.db.$count(clientInvitations, isUsable(deps, token))) > 0,
    join: (tx, person) => joinClient(deps, tx, token, person, ip),
  });
}

export async function stopReminders(deps: AppDeps, { input, caller }: PublicCall<'stopReminders'>): Promise<{ done: true }> {
  await limitLinks(deps, caller.ip);
  const endedInvitations = await deps.database.db
    .update(clientInvitations)
    .set({ remindersEndedAt: deps.clock.now() })
    .where(isUsable(deps, input.token))
    .returning({ id: clientInvitations.id });
  if (endedInvitations.length === 0) throw createLinkSpentError();
  return { done: true };
}

/** Uses the invitation once: of two concurrent requests, the second finds it used. */
async function joinClient(deps: AppDeps, tx: Tx, token: string, person: InvitedPerson, ip: string): Promise<void> {
  const at = deps.clock.now();
  const [invitation] = await tx
    .update(clientInvitations)
    .set({ acceptedAt: at, acceptedBy: person.id })
    .where(isUsable(deps, token))
    .returning();
  if (!invitation) throw createLinkSpentError();
  const { companyId, clientId, email, invitedBy } = invitation;
  await enqueuePeopleChanged(deps, tx, { practiceId: companyId, clientId }, { name: person.name, email, what: 'joined', invitedBy });
  await tx.insert(clientPeople).values({ companyId, clientId, userId: person.id, joinedAt: at }).onConflictDoNothing();
  await recordAudit(tx, {
    companyId,
    at,
    actor: person.id,
    action: 'client.person_joined',
    subject: clientId,
    after: { user_id: person.id, email },
    ip,
  });
}
