/** Emails about letters of engagement. They don't contain the letter. */
import { PAGES } from '@portal/contract/pages.ts';
import type { Tx } from '@portal/db/database.ts';
import { memberships, users } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { enqueueEmail } from '../../mail/enqueue-email.ts';
import { enqueueClientEmail } from '../client-emails/enqueue-client-email.ts';
import { listPeopleEmails } from '../client-files/client-file-emails.ts';
import { getNames } from '../client-portal/client-portal-emails.ts';

type ClientKey = { readonly practiceId: string; readonly clientId: string };

export async function enqueueLetterSent(
  deps: AppDeps,
  tx: Tx,
  { letterId, ...key }: ClientKey & { readonly letterId: string },
  sentBy: string,
): Promise<void> {
  const { client, practice, sender } = await getNames(tx, key);
  for (const to of await listPeopleEmails(tx, key)) {
    const content = {
      sender,
      subject: `${practice} has sent you a letter of engagement to sign`,
      preheader: `It’s about ${client}. Read it, then sign by typing your name.`,
      heading: 'You have a letter to sign',
      paragraphs: [`${practice} has sent its letter of engagement for ${client}. Log in to read it, then sign by typing your name.`],
      action: { label: 'Read the letter', path: `${PAGES.clientsPortalPapers.path}?company_id=${key.clientId}` },
      reason: `You’re receiving this because ${practice} gave you access to ${client} on ${deps.site.brand}.`,
      sentFor: { companyId: key.practiceId, isEssential: true as const },
    };
    await enqueueClientEmail(deps, tx, { ...key, to, sentBy, content, neededFor: { kind: 'letter', id: letterId } });
  }
}

/** Notifies the member who sent it and all of the client's users, who can save their copy. */
export async function enqueueLetterSigned(deps: AppDeps, tx: Tx, key: ClientKey, sentBy: string): Promise<void> {
  const { client, practice, sender } = await getNames(tx, key);
  const content = {
    subject: `The letter of engagement for ${client} has been signed`,
    preheader: 'A copy is in the portal.',
    heading: 'The letter of engagement has been signed',
    paragraphs: [`The letter of engagement between ${practice} and ${client} has been signed. A copy is in the portal.`],
  };
  for (const to of await listPeopleEmails(tx, key)) {
    const letter = {
      sender,
      ...content,
      action: { label: 'Open your documents', path: `${PAGES.clientsPortalPapers.path}?company_id=${key.clientId}` },
      notes: [`If no one at ${client} signed it, contact ${practice}.`],
      reason: `You’re receiving this because ${practice} gave you access to ${client} on ${deps.site.brand}.`,
      sentFor: { companyId: key.practiceId, isEssential: true as const },
    };
    await enqueueClientEmail(deps, tx, { ...key, to, sentBy, content: letter });
  }
  const [colleague] = await tx
    .select({ email: users.email })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.companyId, key.practiceId), eq(memberships.userId, sentBy)));
  if (!colleague) return;
  await enqueueEmail(deps, tx, colleague.email, {
    ...content,
    action: {
      label: 'Open the client',
      path: `${PAGES.clientDashboard.path}?company_id=${key.practiceId}&client_id=${key.clientId}&tab=papers`,
    },
    reason: `You’re receiving this because you sent the letter for ${practice} on ${deps.site.brand}.`,
    sentFor: { companyId: key.practiceId },
  });
}
