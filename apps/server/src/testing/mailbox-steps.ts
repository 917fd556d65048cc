/** For tests: a practice's own mailbox and its messages. */
import { randomUUID } from 'node:crypto';
import type { MailboxProvider } from '@portal/domain/messages/sending-limits.ts';
import { clients } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { jobHandlers } from '../job-handlers.ts';
import { addClient, type TestPractice } from './add-practice.ts';
import type { TestInstance, TestPortal } from './open-test-portal.ts';
import { openTestBrowser } from './test-browser.ts';

const SIGN_IN = { gmail: 'google', outlook: 'microsoft' } as const;

type MailboxConnection = {
  readonly provider: MailboxProvider;
  readonly email: string;
  /** What the user chooses on the provider's page. */
  readonly answer?: 'deny' | 'without_scope';
  /** True if the provider redirects to a browser other than the one that started. */
  readonly returnsElsewhere?: boolean;
  /** The session cookie of the user who connects; the practice's admin by default. */
  readonly cookie?: string;
  /** What happens while the user is at the provider. */
  readonly beforeReturn?: () => Promise<void>;
};

/** Connects the mailbox as the practice's admin, or as the user with the cookie, and returns the URL that the portal redirects the browser to. */
export async function connectMailbox(portal: TestPortal, practice: TestPractice, connecting: MailboxConnection): Promise<string> {
  const { provider, email, answer, returnsElsewhere = false, cookie = practice.cookies.admin } = connecting;
  portal.identity.signIn[SIGN_IN[provider]].seedPerson({ email, fullName: 'Olivia Oak', emailVerified: true });
  const cookies = { portal_session: cookie.slice('portal_session='.length) };
  const browser = openTestBrowser(portal, { cookies });
  const { body, status } = await browser.post('/open-tax/mailbox/connect', { company_id: practice.companyId, provider });
  if (status !== 200) return `${status}`;
  const url = new URL(String(body['authorize_url']));
  url.searchParams.set('sandbox_user', email);
  const deniedUrl = `http://localhost/portal/mailbox/callback/${provider}?${new URLSearchParams({ error: 'access_denied', state: url.searchParams.get('state') ?? '' })}`;
  if (answer === 'without_scope') {
    const scopes = url.searchParams.get('scope') ?? '';
    url.searchParams.set('scope', scopes.replace('https://www.googleapis.com/auth/gmail.send', '').trim());
  }
  const redirect = answer === 'deny' ? deniedUrl : (await fetch(url, { redirect: 'manual' })).headers.get('location');
  const callback = new URL(redirect ?? 'http://localhost/no-redirect');
  await connecting.beforeReturn?.();
  const callbackBrowser = returnsElsewhere ? openTestBrowser(portal, { cookies }) : browser;
  const arrivedResponse = await callbackBrowser.get(callback.pathname + callback.search);
  return arrivedResponse.location ?? `${arrivedResponse.status}`;
}

/** Adds a client with an email address. */
export async function addClientWithEmail(portal: TestPortal, companyId: string, name: string, email: string | null): Promise<string> {
  const id = await addClient(portal, companyId, { name });
  await portal.deps.database.db
    .update(clients)
    .set({ email })
    .where(and(eq(clients.companyId, companyId), eq(clients.id, id)));
  return id;
}

export const SAMPLE_MESSAGE = { subject: 'About {client}', body: 'Dear {client},\n\nPlease call us.\n\n{sender}\n{practice}' };

/** Sends a message to these clients. */
export async function sendTo(practice: TestPractice, clientIds: readonly string[], overrides: object = {}): Promise<string> {
  const message_id = randomUUID();
  const input = {
    company_id: practice.companyId,
    client_ids: clientIds,
    recipients: clientIds.length,
    message_id,
    ...SAMPLE_MESSAGE,
    ...overrides,
  };
  const { status, body } = await practice.admin.post('/open-tax/messages/send', input);
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  return message_id;
}

/** Returns the status of each recipient, by client name. */
export async function listOutcomes(practice: TestPractice, message_id: string): Promise<Record<string, string>> {
  const { body } = await practice.admin.get('/open-tax/messages/details', { company_id: practice.companyId, message_id });
  const recipients = body['recipients'] as { name: string; status: string }[];
  return Object.fromEntries(recipients.map(({ name, status }) => [name, status]));
}

/** Lists the emails that the simulated mailbox has sent, oldest first. */
export function listSentEmails(portal: TestPortal) {
  return portal.identity.mailbox.list().toReversed();
}

/** Runs the sweep that resumes waiting messages, and then the jobs. */
export async function sweepMessages({ deps, runJobs }: Pick<TestInstance, 'deps' | 'runJobs'>): Promise<void> {
  await jobHandlers(deps)['messages.sweep'](
    {},
    { id: '', attempt: 1, isLastAttempt: false, lostRuns: 0, signal: new AbortController().signal },
  );
  await runJobs();
}
