/**
 * One story of a practice's team, played while the portal is killed: a colleague and a client's user join, a task, a request and messages
 * follow, and the colleague leaves. Each call is repeated if the portal died during it, as a user would.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { clientDashboardApi } from '@portal/contract/client-dashboard.ts';
import { clientInvitationsApi } from '@portal/contract/client-invitations.ts';
import { clientPortalApi } from '@portal/contract/client-portal.ts';
import { clientRequestsApi } from '@portal/contract/client-requests.ts';
import { clientsApi } from '@portal/contract/clients.ts';
import type { Endpoint, EndpointInput, EndpointOutput } from '@portal/contract/endpoint.ts';
import { identityApi } from '@portal/contract/identity.ts';
import { mailboxApi } from '@portal/contract/mailbox.ts';
import { messagesApi } from '@portal/contract/messages.ts';
import { teamInvitationsApi } from '@portal/contract/team-invitations.ts';
import { teamApi } from '@portal/contract/team.ts';
import { workItemsApi } from '@portal/contract/work-items.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { createCaller, PortalError, type Caller } from '../../smoke/caller.ts';
import { openLandingPage } from '../../smoke/trader.ts';
import { isConnectionLost, reviveAfterExit } from '../run-to-settlement.ts';
import type { PracticeTestBed } from './practice-test-bed.ts';

export type TeamStory = {
  /** Part of every name and email address of the story. */
  readonly tag: string;
  readonly clientId: string;
  readonly colleagueId: string;
  readonly itemId: string;
  readonly requestId: string;
  readonly messageId: string;
  readonly postIds: readonly string[];
};

const LATER_DATE = plainDate('2099-06-30');
const PASSWORD = 'four green kettles sing';
const EMAIL_TIMEOUT_MS = 120_000;

/** Calls the portal as a user, until it responds. Only for calls that are safe to repeat. */
async function callAs<E extends Endpoint>(
  testBed: PracticeTestBed,
  caller: Caller,
  endpoint: E,
  input: EndpointInput<E>,
): Promise<EndpointOutput<E>> {
  for (;;) {
    await testBed.revive();
    try {
      return await caller.call(endpoint, input);
    } catch (error) {
      if (!isConnectionLost(error) || !(await reviveAfterExit(testBed))) throw error;
    }
  }
}

/** Connects the practice's Gmail, so that its emails leave at most once. Returns its address. */
export async function connectOffice(testBed: PracticeTestBed): Promise<string> {
  const { admin, sandbox } = testBed;
  const office = `office-${randomUUID().slice(0, 8)}@oakline.example`;
  const person = { provider: 'google', email: office, full_name: 'Olivia Oak', email_verified: 'yes' };
  await fetch(`${sandbox.url}/control/people`, {
    method: 'POST',
    body: JSON.stringify(person),
    headers: { 'content-type': 'application/json' },
  });
  await testBed.revive();
  const { authorize_url } = await admin.caller.call(mailboxApi.connect, { company_id: admin.companyId, provider: 'gmail' });
  const url = new URL(authorize_url);
  url.searchParams.set('sandbox_user', office);
  const callbackUrl = new URL((await fetch(url, { redirect: 'manual' })).headers.get('location') ?? '');
  await admin.caller.open(`${callbackUrl.pathname.replace(/^\/portal/, '')}${callbackUrl.search}`);
  const { status } = await admin.caller.call(mailboxApi.gmailStatus, { company_id: admin.companyId });
  if (status !== 'connected') throw new Error(`the practice’s mailbox is ${status}`);
  return office;
}

export async function playTeamStory(testBed: PracticeTestBed): Promise<TeamStory> {
  const tag = randomUUID().slice(0, 8);
  const { companyId: company_id } = testBed.admin;
  const colleague = await joinTeam(testBed, tag);
  const [member] = (await testBed.callWithRestart(teamApi.list, { company_id, full_name: `Colleague ${tag}` })).team_members;
  const colleagueId = member?.user_id ?? '';
  const clientId = await addClient(testBed, tag);
  const key = { company_id, client_id: clientId };
  const assignment = { company_id, client_ids: [clientId], user_id: colleagueId, duty: 'manager', action: 'add' } as const;
  await testBed.callWithRestart(clientsApi.assign, { ...assignment, client_ids: [clientId] });
  const person = await joinClient(testBed, tag, key);
  const ids = { itemId: randomUUID(), requestId: randomUUID(), messageId: randomUUID(), postIds: [randomUUID(), randomUUID()] as const };
  await doTask(testBed, colleague, { ...key, item_id: ids.itemId }, colleagueId);
  await askClient(testBed, { colleague, person }, { ...key, request_id: ids.requestId });
  const [ours, theirs] = ids.postIds;
  await callAs(testBed, colleague, clientRequestsApi.write, { ...key, post_id: ours, text: 'Thank you.' });
  await callAs(testBed, person, clientRequestsApi.write, {
    company_id: clientId,
    client_id: clientId,
    post_id: theirs,
    text: 'My pleasure.',
  });
  const text = { subject: `Story ${tag}`, body: 'Dear {client}, please call us.' };
  await testBed.callWithRestart(messagesApi.send, {
    company_id,
    client_ids: [clientId],
    message_id: ids.messageId,
    recipients: 1,
    ...text,
  });
  await leaveTeam(testBed, colleagueId);
  return { tag, clientId, colleagueId, ...ids };
}

async function joinTeam(testBed: PracticeTestBed, tag: string): Promise<Caller> {
  const { companyId: company_id } = testBed.admin;
  const email = `colleague-${tag}@team.example`;
  await testBed.callWithRestart(teamApi.invite, { company_id, emails: [email], role: 'team_member' });
  const token = await waitForToken(testBed, email);
  return join(testBed, email, (caller) =>
    callAs(testBed, caller, teamInvitationsApi.accept, { token, full_name: `Colleague ${tag}`, password: PASSWORD }),
  );
}

async function joinClient(testBed: PracticeTestBed, tag: string, key: { company_id: string; client_id: string }): Promise<Caller> {
  const email = `director-${tag}@team.example`;
  await testBed.callWithRestart(clientInvitationsApi.send, { ...key, email });
  const token = await waitForToken(testBed, email);
  const person = await join(testBed, email, (caller) =>
    callAs(testBed, caller, clientInvitationsApi.accept, { token, full_name: `Director ${tag}`, password: PASSWORD }),
  );
  await callAs(testBed, person, clientPortalApi.consent, { company_id: key.client_id, agree: true });
  return person;
}

/** If the portal died after it had stored the acceptance, the link is spent, and the user logs in with the password just chosen. */
async function join(testBed: PracticeTestBed, email: string, accept: (caller: Caller) => Promise<unknown>): Promise<Caller> {
  const caller = createCaller(testBed.site.portalUrl);
  await testBed.revive();
  await openLandingPage(caller).catch(() => undefined);
  try {
    await accept(caller);
  } catch (error) {
    if (!(error instanceof PortalError)) throw error;
    await callAs(testBed, caller, identityApi.login, { email, password: PASSWORD });
  }
  return caller;
}

/** Creating a client can't be repeated, so a user looks first whether the client is there. */
async function addClient(testBed: PracticeTestBed, tag: string): Promise<string> {
  const { admin } = testBed;
  const name = `Story ${tag} Ltd`;
  for (;;) {
    await testBed.revive();
    try {
      const { companies } = await admin.caller.call(clientDashboardApi.companies, { company_id: admin.companyId, q: name, limit: 1 });
      if (companies[0]?.name === name) return companies[0].client_id;
      const facts = { name, kind: 'company' as const, taxes: ['vat' as const], email: `office-${tag}@team.example` };
      return (await admin.caller.call(clientsApi.create, { company_id: admin.companyId, ...facts })).client_id;
    } catch (error) {
      if (!isConnectionLost(error) || !(await reviveAfterExit(testBed))) throw error;
    }
  }
}

async function doTask(
  testBed: PracticeTestBed,
  colleague: Caller,
  { client_id, ...item }: { company_id: string; client_id: string; item_id: string },
  owner_id: string,
): Promise<void> {
  const line_id = randomUUID();
  const fields = { title: 'Order stamps', notes: '', service: 'other' as const, due_on: LATER_DATE, owner_id };
  const checklist = [{ id: line_id, text: 'First class', is_done: false }];
  await callAs(testBed, colleague, workItemsApi.create, { ...item, client_id, ...fields, checklist });
  await callAs(testBed, colleague, workItemsApi.check, { ...item, line_id, is_done: true });
  await callAs(testBed, colleague, workItemsApi.comment, { ...item, comment_id: randomUUID(), text: 'Ordered.' });
  await callAs(testBed, colleague, workItemsApi.change, { company_id: item.company_id, item_ids: [item.item_id], status: 'done' });
}

async function askClient(
  testBed: PracticeTestBed,
  { colleague, person }: { colleague: Caller; person: Caller },
  { request_id, ...key }: { company_id: string; client_id: string; request_id: string },
): Promise<void> {
  const item_id = randomUUID();
  const items = [{ item_id, kind: 'question' as const, text: 'Who drives the van?' }];
  await callAs(testBed, colleague, clientRequestsApi.create, { ...key, request_id, title: 'Records', due_on: LATER_DATE, items });
  await callAs(testBed, person, clientRequestsApi.answer, { company_id: key.client_id, item_id, answer: 'Dora does.' });
  await callAs(testBed, colleague, clientRequestsApi.decide, { ...key, item_id, decision: 'accept' });
}

/** After a first attempt that was stored, the colleague is no longer in the team. */
async function leaveTeam(testBed: PracticeTestBed, user_id: string): Promise<void> {
  const { companyId: company_id } = testBed.admin;
  try {
    await testBed.callWithRestart(teamApi.deactivate, { company_id, user_id, successors: { manager: null } });
  } catch (error) {
    if (!(error instanceof PortalError && (error.status === 404 || error.status === 409))) throw error;
  }
}

async function waitForToken({ sandbox }: PracticeTestBed, email: string): Promise<string> {
  const deadline = performance.now() + EMAIL_TIMEOUT_MS;
  while (performance.now() < deadline) {
    const tokens = (await sandbox.listMailedLinks(email)).flatMap((link) => new URL(link).searchParams.get('token') ?? []);
    if (tokens[0] !== undefined) return tokens[0];
    await pause(100);
  }
  throw new Error(`no email with a link arrived at ${email}`);
}
