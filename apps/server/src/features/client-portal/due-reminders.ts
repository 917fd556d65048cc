/** Reminds a client's users of due items, the chosen number of days before: at most one email a day per user, and each item once. */
import { PAGES } from '@portal/contract/pages.ts';
import type { Tx } from '@portal/db/database.ts';
import { clientPeople, clients, dueItems, users } from '@portal/db/schema/schema.ts';
import { and, asc, eq, notInArray, sql } from '@portal/db/sql.ts';
import { FORMER_STATUSES } from '@portal/domain/clients/client.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { addDays, formatDate, type PlainDate } from '@portal/domain/plain-date.ts';
import { getItemName } from '@portal/domain/positions/item-names.ts';
import { TAX_NAMES } from '@portal/domain/uk-tax/tax.ts';
import type { AppDeps } from '../../app-deps.ts';
import { tryEach } from '../../jobs/try-each.ts';
import type { EmailContent } from '../../mail/email-content.ts';
import { enqueueClientEmail } from '../client-emails/enqueue-client-email.ts';
import { getNames } from './client-portal-emails.ts';

type ClientUserKey = { readonly companyId: string; readonly clientId: string; readonly userId: string };

/** The number of users loaded together. */
const BATCH_SIZE = 200;

export async function sendDueReminders(deps: AppDeps): Promise<void> {
  const today = deps.clock.today();
  for (;;) {
    const recipients = await listPeopleToRemind(deps, today);
    // One transaction for each user, so that an email is queued if and only if the reminder is recorded.
    await tryEach(recipients, (person) => deps.database.db.transaction((tx) => remind(deps, tx, person, today)));
    if (recipients.length < BATCH_SIZE) return;
  }
}

/** Matches users with due items that no reminder has included yet. */
const shouldRemind = (today: PlainDate) => sql`${clientPeople.remindDays} is not null
  and (${clientPeople.remindedOn} is null or ${clientPeople.remindedOn} < ${today})
  and ${dueItems.what} <> 'refund' and ${dueItems.dueOn} >= ${today} and ${dueItems.dueOn} <= ${today}::date + ${clientPeople.remindDays}
  and not (${dueItems.tax} || ' ' || ${dueItems.key}) = any(${clientPeople.remindedItems})`;

const ITEMS_OF_PERSON = and(eq(dueItems.companyId, clientPeople.companyId), eq(dueItems.clientId, clientPeople.clientId));

function listPeopleToRemind({ database: { db } }: AppDeps, today: PlainDate): Promise<ClientUserKey[]> {
  return db
    .selectDistinct({ companyId: clientPeople.companyId, clientId: clientPeople.clientId, userId: clientPeople.userId })
    .from(clientPeople)
    .innerJoin(
      clients,
      and(
        eq(clients.companyId, clientPeople.companyId),
        eq(clients.id, clientPeople.clientId),
        notInArray(clients.status, FORMER_STATUSES),
      ),
    )
    .innerJoin(dueItems, ITEMS_OF_PERSON)
    .where(shouldRemind(today))
    .limit(BATCH_SIZE);
}

async function remind(deps: AppDeps, tx: Tx, { companyId, clientId, userId }: ClientUserKey, today: PlainDate): Promise<void> {
  const isPerson = and(eq(clientPeople.companyId, companyId), eq(clientPeople.clientId, clientId), eq(clientPeople.userId, userId));
  const [clientPerson] = await tx.select().from(clientPeople).where(isPerson).for('update');
  const items = await tx
    .select({
      tax: dueItems.tax,
      key: dueItems.key,
      kind: dueItems.kind,
      what: dueItems.what,
      dueOn: dueItems.dueOn,
      amount: dueItems.amountPence,
    })
    .from(clientPeople)
    .innerJoin(dueItems, ITEMS_OF_PERSON)
    .where(and(isPerson, shouldRemind(today)))
    .orderBy(asc(dueItems.dueOn), asc(dueItems.tax), asc(dueItems.key));
  const [user] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId));
  const [first] = items;
  // Another instance has just reminded the user, or the user has just left.
  if (!clientPerson || !user || !first) return;
  const { client, practice, sender } = await getNames(tx, { practiceId: companyId, clientId });
  const describe = ({ tax, kind }: (typeof items)[number]) => `${TAX_NAMES[tax]} ${getItemName(kind)}`;
  const content: EmailContent = {
    sender,
    subject: `${client}: ${describe(first)} due on ${formatDate(first.dueOn)}${items.length > 1 ? ` and ${items.length - 1} more` : ''}`,
    preheader: `What ${client} has to file and pay by ${formatDate(addDays(today, clientPerson.remindDays ?? 0))}.`,
    heading: `Coming up for ${client}`,
    paragraphs: ['HMRC’s bank details and the reference for each payment are in your account.'],
    facts: items.map((item) => [
      `${describe(item)}, due on ${formatDate(item.dueOn)}`,
      item.what === 'return' ? 'to file' : item.amount === null ? 'amount not known yet' : formatPounds(item.amount),
    ]),
    action: { label: 'See how to pay', path: `${PAGES.clientsPortalDashboard.path}?company_id=${clientId}` },
    notes: ['If you’ve just paid, it may take a few days for us to see it.', `Questions? Ask ${practice}.`],
    reason: `You’re receiving this because you asked to be reminded ${clientPerson.remindDays} days before something is due for ${client}. You can change this in your settings, under Notification Preferences.`,
  };
  // Of little use after the last of the days that it names.
  const neededUntil = items.at(-1)?.dueOn ?? first.dueOn;
  await enqueueClientEmail(deps, tx, { practiceId: companyId, clientId, to: user.email, sentBy: null, content, neededUntil });
  const itemNames = items.map(({ tax, key }) => `${tax} ${key}`);
  await tx
    .update(clientPeople)
    .set({
      remindedOn: today,
      remindedItems: [...(await listStillDue(tx, { companyId, clientId }, clientPerson.remindedItems)), ...itemNames],
    })
    .where(isPerson);
}

/** Returns the items of earlier reminders that are still due, so that the list doesn't grow over the years. */
async function listStillDue(
  tx: Tx,
  { companyId, clientId }: Omit<ClientUserKey, 'userId'>,
  remindedKeys: readonly string[],
): Promise<string[]> {
  const items = await tx
    .select({ tax: dueItems.tax, key: dueItems.key })
    .from(dueItems)
    .where(and(eq(dueItems.companyId, companyId), eq(dueItems.clientId, clientId)));
  const presentKeys = new Set(items.map(({ tax, key }) => `${tax} ${key}`));
  return remindedKeys.filter((group) => presentKeys.has(group));
}
