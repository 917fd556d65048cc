/** Notifies practice members that clients' books can no longer be read. */
import type { Tx } from '@portal/db/database.ts';
import { isInIdList } from '@portal/db/in-id-list.ts';
import { clients } from '@portal/db/schema/schema.ts';
import { and, asc, eq, notInArray } from '@portal/db/sql.ts';
import { FORMER_STATUSES } from '@portal/domain/clients/client.ts';
import { BOOKS_PROVIDER_NAMES, type BooksProviderName } from '@portal/domain/connected-books/books-providers.ts';
import type { AppDeps } from '../../app-deps.ts';
import { listAdminIds, listClientTeams, notify, type NotificationEvent } from '../staff-notifications/notify.ts';
import { getClientPath, getClientsPath, getPracticeBooksPath } from './books-paths.ts';
import type { BooksGrantKey } from './find-books-grant.ts';

type LostOrganisation = { readonly name: string; readonly clientId: string };

/** The reason why an authorisation no longer covers an organisation. */
const LOSS_REASONS: Readonly<Record<BooksProviderName, string>> = {
  xero: 'Someone removed it there, or connected with another login.',
  quickbooks: 'Someone removed it there, or connected with another login.',
  freeagent: 'It was deleted there, or the account manager who connected FreeAgent can no longer access it.',
};

const MAX_NAMED = 5;

/** Sends one notification to each user, but none about clients that have left the practice. */
export async function notifyOfLostOrganisations(
  deps: AppDeps,
  tx: Tx,
  key: BooksGrantKey,
  lostOrganisations: readonly LostOrganisation[],
): Promise<void> {
  const { companyId: practiceId, provider } = key;
  const rows = await tx
    .select({ id: clients.id, name: clients.name })
    .from(clients)
    .where(
      and(
        eq(clients.companyId, practiceId),
        isInIdList(
          clients.id,
          lostOrganisations.map(({ clientId }) => clientId),
        ),
        notInArray(clients.status, FORMER_STATUSES),
      ),
    )
    .orderBy(asc(clients.name), asc(clients.id));
  if (rows.length === 0) return;
  const at = deps.clock.now();
  const findTeam = await listClientTeams(
    tx,
    practiceId,
    rows.map(({ id }) => id),
  );
  const rowsByUser = new Map<string, typeof rows>();
  for (const row of rows) for (const userId of findTeam(row.id)) rowsByUser.set(userId, [...(rowsByUser.get(userId) ?? []), row]);
  const admins = new Set(await listAdminIds(tx, practiceId));
  const providerName = BOOKS_PROVIDER_NAMES[provider];
  const toEvent = ([userId, userRows]: readonly [string, typeof rows]): NotificationEvent => {
    const [first] = userRows;
    const organisation = lostOrganisations.find(({ clientId }) => clientId === first?.id)?.name ?? 'the organisation';
    if (first && userRows.length === 1) {
      const explanation = `Your practice’s connection to ${providerName} no longer covers ${organisation}. ${LOSS_REASONS[provider]}`;
      return {
        ...describeClient({ practiceId, clientId: first.id, program: providerName, key: `${first.id} ${at}`, explanation }, first.name),
        userIds: [userId],
      };
    }
    return {
      ...describeLostOrganisations(
        key,
        userRows.map(({ name }) => name),
        // Other members may lack the permission for the connections page.
        admins.has(userId) ? getPracticeBooksPath(practiceId) : getClientsPath(practiceId),
      ),
      key: `${provider} ${at} ${userId}`,
      userIds: [userId],
    };
  };
  await notify(deps, tx, practiceId, mergeEvents([...rowsByUser].map(toEvent)));
}

/** Users with the same clients share an event. */
function mergeEvents(events: readonly NotificationEvent[]): NotificationEvent[] {
  const mergedEvents = new Map<string, NotificationEvent>();
  for (const event of events) {
    const existing = mergedEvents.get(event.key);
    mergedEvents.set(event.key, existing ? { ...existing, userIds: [...existing.userIds, ...event.userIds] } : event);
  }
  return [...mergedEvents.values()];
}

function describeLostOrganisations(
  { provider }: BooksGrantKey,
  names: readonly string[],
  path: string,
): Omit<NotificationEvent, 'key' | 'userIds'> {
  const providerName = BOOKS_PROVIDER_NAMES[provider];
  const count = names.length.toLocaleString('en-GB');
  const moreCount = names.length - MAX_NAMED;
  const namedClients = [...names.slice(0, MAX_NAMED), ...(moreCount > 0 ? [`${moreCount.toLocaleString('en-GB')} more`] : [])];
  const title = `We can’t read the books of ${count} clients in ${providerName} any more`;
  return {
    kind: 'books_lost',
    title,
    path,
    email: {
      subject: title,
      preheader: 'These clients’ VAT figures are no longer updated from their books.',
      heading: `The connection to the books of ${count} clients has ended`,
      paragraphs: [
        `Your practice’s connection to ${providerName} no longer gives us access to the books of ${new Intl.ListFormat('en-GB').format(namedClients)}.`,
        `For each of them: ${LOSS_REASONS[provider]}`,
        'The figures we’ve read are still available. Connect the books again, or upload a file instead.',
      ],
      action: { label: 'See which clients', path },
      reason: 'You’re receiving this because you look after these clients.',
    },
  };
}

export type ClientBooksEvent = {
  readonly practiceId: string;
  readonly clientId: string;
  readonly program: string;
  readonly key: string;
  readonly explanation: string;
};

/** Notifies the members assigned to the client, or the admins if no one is assigned. */
export async function notifyOfClient(
  deps: AppDeps,
  tx: Tx,
  { practiceId, clientId, program, key, explanation }: ClientBooksEvent,
): Promise<void> {
  const [client] = await tx
    .select({ name: clients.name })
    .from(clients)
    .where(and(eq(clients.companyId, practiceId), eq(clients.id, clientId)));
  const findTeam = await listClientTeams(tx, practiceId, [clientId]);
  const event = describeClient({ practiceId, clientId, program, key, explanation }, client?.name ?? 'A client');
  await notify(deps, tx, practiceId, [{ ...event, userIds: findTeam(clientId) }]);
}

function describeClient(
  { practiceId, clientId, program, key, explanation }: ClientBooksEvent,
  name: string,
): Omit<NotificationEvent, 'userIds'> {
  const path = getClientPath(practiceId, clientId);
  return {
    kind: 'books_lost',
    key,
    clientId,
    title: `${name}: we can’t read the books in ${program} any more`,
    path,
    email: {
      subject: `${name}: we can’t read the books in ${program} any more`,
      preheader: 'The client’s VAT figures are no longer updated from its books.',
      heading: `The connection to ${name}’s books has ended`,
      paragraphs: [explanation, 'The figures we’ve read are still available. Connect the books again, or upload a file instead.'],
      action: { label: 'Go to the client', path },
      reason: `You’re receiving this because you look after ${name}.`,
    },
  };
}
