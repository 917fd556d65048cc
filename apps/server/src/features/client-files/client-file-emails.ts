/** Emails about files. They don't name the file, because email is read and forwarded outside the portal. */
import { PAGES } from '@portal/contract/pages.ts';
import type { Tx } from '@portal/db/database.ts';
import { clientFiles, clientPeople, companies, users } from '@portal/db/schema/schema.ts';
import { and, asc, eq, gt, ne } from '@portal/db/sql.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import type { AppDeps } from '../../app-deps.ts';
import { enqueueEmail } from '../../mail/enqueue-email.ts';
import { enqueueClientEmail } from '../client-emails/enqueue-client-email.ts';
import { getNames } from '../client-portal/client-portal-emails.ts';

type ClientKey = { readonly practiceId: string; readonly clientId: string };

const HOUR_MS = 3_600_000;

/** Sends one email for all files that are shared within an hour. */
export async function enqueueFileShared(
  deps: AppDeps,
  tx: Tx,
  key: ClientKey,
  { fileId, sentBy }: { readonly fileId: string; readonly sentBy: string },
): Promise<void> {
  const [recentEmail] = await tx
    .select({ id: clientFiles.id })
    .from(clientFiles)
    .where(
      and(
        eq(clientFiles.companyId, key.practiceId),
        eq(clientFiles.clientId, key.clientId),
        ne(clientFiles.id, fileId),
        gt(clientFiles.sharedAt, addMilliseconds(deps.clock.now(), -HOUR_MS)),
      ),
    )
    .limit(1);
  if (recentEmail) return;
  const { client, practice, sender } = await getNames(tx, key);
  for (const to of await listPeopleEmails(tx, key)) {
    const content = {
      sender,
      subject: `${practice} has shared a file with you`,
      preheader: `Log in to open it. It’s about ${client}.`,
      heading: 'You have a new file',
      paragraphs: [`${practice} has shared a file about ${client} with you. Log in to open it.`],
      action: { label: 'Open your documents', path: `${PAGES.clientsPortalPapers.path}?company_id=${key.clientId}` },
      reason: `You’re receiving this because ${practice} gave you access to ${client} on ${deps.site.brand}.`,
    };
    await enqueueClientEmail(deps, tx, { ...key, to, sentBy, content });
  }
}

/** Lists the email addresses of the client's users. */
export async function listPeopleEmails(tx: Tx, { practiceId, clientId }: ClientKey): Promise<string[]> {
  const rows = await tx
    .select({ email: users.email })
    .from(clientPeople)
    .innerJoin(users, eq(users.id, clientPeople.userId))
    .where(and(eq(clientPeople.companyId, practiceId), eq(clientPeople.clientId, clientId)))
    .orderBy(asc(users.email));
  return rows.map(({ email }) => email);
}

/** Informs the sender of a file that could only be scanned later. */
export async function enqueueFileRejected(
  deps: AppDeps,
  tx: Tx,
  { companyId, email }: { readonly companyId: string; readonly email: string },
): Promise<void> {
  const [practice] = await tx.select({ name: companies.name }).from(companies).where(eq(companies.id, companyId));
  await enqueueEmail(deps, tx, email, {
    subject: 'A file that you sent contains a virus',
    preheader: 'We deleted it. Scan your device, then send a clean copy.',
    heading: 'We deleted a file that you sent',
    paragraphs: ['A file that you sent contains a virus, so we deleted it and no one could open it.'],
    notes: ['Scan your device for viruses, then send a clean copy.'],
    action: { label: 'See which file', path: PAGES.home.path },
    reason: `You’re receiving this because you sent a file to ${practice?.name ?? 'a practice'} on ${deps.site.brand}.`,
    sentFor: { companyId, isEssential: true },
  });
}
