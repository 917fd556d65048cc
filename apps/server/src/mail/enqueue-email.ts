/** Queues emails in the caller's transaction, so that each is sent if and only if the change it reports is committed. */
import { randomUUID } from 'node:crypto';
import type { Tx } from '@portal/db/database.ts';
import { companies, memberships, users } from '@portal/db/schema/schema.ts';
import type { CompanyKind, Role } from '@portal/domain/identity/roles.ts';
import { and, asc, eq, inArray } from '@portal/db/sql.ts';
import type { AppDeps } from '../app-deps.ts';
import { listRolesWith } from '../http/policies.ts';
import { composeEmail } from './compose-email.ts';
import type { EmailContent } from './email-content.ts';
import type { OutgoingEmail } from './mailer.ts';

export function enqueueEmail(deps: AppDeps, tx: Tx, to: string, content: EmailContent): Promise<void> {
  return enqueueMail(deps, tx, composeEmail(deps.site, to, content));
}

export function enqueueMail(deps: AppDeps, tx: Tx, mail: OutgoingEmail): Promise<void> {
  const id = randomUUID();
  // Sealed, because a link in it may sign its reader in, and jobs stay in the database for days. Bound to its job, so that a copy isn't sent.
  return deps.enqueue(tx, 'mail.send', { sealed: deps.tokenCipher.seal(JSON.stringify(mail), `email:${id}`) }, { id });
}

export type EmailedCompany = { readonly name: string; readonly kind: CompanyKind };

/** Queues an email for each user who has one of these roles in the company. */
export async function enqueueEmailToRoles(
  deps: AppDeps,
  tx: Tx,
  companyId: string,
  roles: readonly Role[],
  compose: (company: EmailedCompany) => EmailContent,
): Promise<void> {
  const recipients = await tx
    .select({ email: users.email, name: companies.name, kind: companies.kind })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .innerJoin(companies, eq(companies.id, memberships.companyId))
    .where(and(eq(memberships.companyId, companyId), inArray(memberships.role, [...roles])))
    .orderBy(asc(users.email));
  for (const { email, ...company } of recipients)
    await enqueueEmail(deps, tx, email, { ...compose(company), sentFor: { companyId, isEssential: true } });
}

/** Queues an email for each owner of a trader's company. Adds the reason for receiving it to the content. */
export function enqueueEmailToOwners(
  deps: AppDeps,
  tx: Tx,
  companyId: string,
  compose: (company: EmailedCompany) => Omit<EmailContent, 'reason'>,
): Promise<void> {
  return enqueueEmailToRoles(deps, tx, companyId, listRolesWith('company.manage'), (company) => ({
    ...compose(company),
    reason: `You’re receiving this because you manage ${company.name} on ${deps.site.brand}.`,
  }));
}
