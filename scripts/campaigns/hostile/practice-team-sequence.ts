/** A practice's team and one client's users: invitations, tasks, requests, messages, and a colleague who leaves. */
import { randomUUID } from 'node:crypto';
import { clientInvitationsApi } from '@portal/contract/client-invitations.ts';
import { clientPortalApi } from '@portal/contract/client-portal.ts';
import { clientRequestsApi } from '@portal/contract/client-requests.ts';
import { clientsApi } from '@portal/contract/clients.ts';
import { messagesApi, notificationsApi } from '@portal/contract/messages.ts';
import { practiceApi } from '@portal/contract/practice.ts';
import { teamInvitationsApi } from '@portal/contract/team-invitations.ts';
import { teamApi } from '@portal/contract/team.ts';
import { workItemsApi } from '@portal/contract/work-items.ts';
import { workTemplatesApi } from '@portal/contract/work-templates.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import type { Person } from './hostile-person.ts';
import {
  getEmail,
  getPersonName,
  createHostilePerson,
  createTenant,
  signUp,
  createText,
  waitForToken,
  type HostileTestBed,
} from './people.ts';

const MAY_BE_LATE = { mayEnd: [400, 404, 409] } as const;
const LATER_DATE = plainDate('2027-06-30');

type Practice = { readonly owner: Person; readonly colleague: Person; readonly company_id: string; readonly user_id: string };
type Client = { readonly company_id: string; readonly client_id: string };

export async function runPracticeTeamSequence(testBed: HostileTestBed): Promise<void> {
  const tenant = createTenant(testBed);
  const [owner, colleague, person] = [
    createHostilePerson(testBed, tenant),
    createHostilePerson(testBed, tenant),
    createHostilePerson(testBed, tenant),
  ];
  await signUp(testBed, owner, { product: 'open_tax' });
  const { company_id } = await owner.call(practiceApi.create, { name: `Practice ${tenant.marker}` }, { isSafe: true });
  const practice = { owner, colleague, company_id, user_id: await joinTeam(testBed, owner, colleague, company_id) };
  const facts = { name: `Client ${tenant.marker}`, kind: 'company' as const, taxes: ['vat' as const], email: getEmail(tenant, 'office') };
  const { client_id } = await owner.call(clientsApi.create, { company_id, ...facts }, { isSafe: true });
  const key = { company_id, client_id };
  const assign = { company_id, client_ids: [client_id], user_id: practice.user_id, duty: 'manager', action: 'add' } as const;
  await owner.call(clientsApi.assign, { ...assign, client_ids: [client_id] }, { isSafe: true });
  await changeTeam(practice);
  await joinClient(testBed, practice, person, key);
  await workOnTasks(practice, key);
  await sendClientRequest(practice, person, key);
  await sendMessages(practice, key);
  await leaveTeam(practice, person, key);
}

/** Invites a colleague, who creates an account with the link. Returns the colleague's id. */
async function joinTeam(testBed: HostileTestBed, owner: Person, colleague: Person, company_id: string): Promise<string> {
  const email = getEmail(owner.tenant, 'colleague');
  await owner.call(teamApi.invite, { company_id, emails: [email], role: 'team_member' }, { isSafe: true });
  const token = await waitForToken(testBed, email);
  await colleague.call(teamInvitationsApi.preview, { token });
  await colleague.call(teamInvitationsApi.accept, { token, full_name: getPersonName(owner.tenant) }, { isSafe: true });
  const { team_members } = await owner.call(teamApi.list, { company_id, full_name: email, is_active: 'true' });
  const user_id = team_members[0]?.user_id;
  if (!user_id) throw new Error('the colleague is not in the team');
  return user_id;
}

async function changeTeam({ owner, colleague, company_id, user_id }: Practice): Promise<void> {
  const permissions = ['message_clients', 'invite_clients'] as const;
  const role = { company_id, name: `Role ${owner.tenant.marker}`, permissions: [...permissions] };
  const { team_role_id } = await owner.call(teamApi.saveRole, role, { isSafe: true });
  await owner.call(teamApi.roles, { company_id });
  await owner.call(teamApi.change, { company_id, user_id, role: 'team_member', team_role_id, groups: ['Leeds'] }, { isSafe: true });
  const otherEmail = getEmail(owner.tenant, 'other');
  await owner.call(teamApi.invite, { company_id, emails: [otherEmail], role: 'team_member' }, { isSafe: true });
  const { team_members } = await owner.ask(teamApi.list, { company_id, full_name: otherEmail });
  const invitation_id = team_members[0]?.invitation_id;
  if (invitation_id) {
    await owner.call(teamApi.resend, { company_id, invitation_id }, MAY_BE_LATE);
    await owner.call(teamApi.revoke, { company_id, invitation_id }, MAY_BE_LATE);
  }
  await owner.call(teamApi.change, { company_id, user_id, role: 'team_member', permissions: [...permissions] }, { isSafe: true });
  await owner.call(teamApi.removeRole, { company_id, team_role_id }, MAY_BE_LATE);
  await colleague.call(teamApi.clients, { company_id });
}

async function joinClient(testBed: HostileTestBed, { owner, colleague }: Practice, person: Person, key: Client): Promise<void> {
  const email = getEmail(owner.tenant, 'director');
  await colleague.call(clientInvitationsApi.send, { ...key, email }, { isSafe: true });
  await colleague.call(clientInvitationsApi.read, key);
  const token = await waitForToken(testBed, email);
  await person.call(clientInvitationsApi.preview, { token });
  await person.call(clientInvitationsApi.stopReminders, { token });
  await person.call(clientInvitationsApi.accept, { token, full_name: getPersonName(owner.tenant) }, { isSafe: true });
  await colleague.call(clientInvitationsApi.send, { ...key, email: getEmail(owner.tenant, 'second') }, { isSafe: true });
  const { invitations } = await colleague.ask(clientInvitationsApi.read, key);
  for (const { invitation_id } of invitations.filter(({ state }) => state === 'sent').slice(0, 1)) {
    await colleague.call(clientInvitationsApi.resend, { ...key, invitation_id }, MAY_BE_LATE);
    await colleague.call(clientInvitationsApi.revoke, { ...key, invitation_id }, MAY_BE_LATE);
  }
  const clientKey = { company_id: key.client_id };
  await person.call(clientPortalApi.overview, clientKey);
  await person.call(clientPortalApi.people, clientKey);
  await person.call(clientPortalApi.consent, { ...clientKey, agree: true });
  const preference = await person.call(clientPortalApi.preference, clientKey);
  await person.call(clientPortalApi.savePreference, { ...clientKey, ...preference });
}

async function workOnTasks({ owner, colleague, company_id, user_id }: Practice, { client_id }: Client): Promise<void> {
  await owner.call(workTemplatesApi.list, { company_id });
  await owner.call(workTemplatesApi.switchOn, { company_id, key: 'vat_return', is_on: true });
  const step = { title: 'Ring the client', from: 'due_day' as const, days: -3, checklist: ['Ask for the van'] };
  const template = { company_id, key: 'ours', name: 'Ours', service: 'other' as const, steps: [step], trigger: null };
  await owner.call(workTemplatesApi.save, template, { isSafe: true });
  const [item_id, line_id] = [randomUUID(), randomUUID()];
  const fields = { title: 'Order stamps', notes: '', service: 'other' as const, due_on: LATER_DATE, owner_id: user_id };
  const checklist = [{ id: line_id, text: 'First class', is_done: false }];
  await colleague.call(workItemsApi.create, { company_id, item_id, client_id, ...fields, checklist }, { isSafe: true, isSentTwice: true });
  const templateRequest = { company_id, request_id: randomUUID(), template_key: 'ours', client_id, day: LATER_DATE };
  await colleague.call(workItemsApi.createFromTemplate, templateRequest, { isSentTwice: true });
  await colleague.call(workItemsApi.list, { company_id, owner: 'me', limit: 10 });
  await colleague.call(workItemsApi.board, { company_id });
  await colleague.call(workItemsApi.check, { company_id, item_id, line_id, is_done: true }, MAY_BE_LATE);
  const commentText = `@${getPersonName(owner.tenant)} ${createText(colleague, colleague.tenant)}`;
  await colleague.call(workItemsApi.comment, { company_id, item_id, comment_id: randomUUID(), text: commentText });
  const { item } = await colleague.call(workItemsApi.find, { company_id, item_id });
  const savedItem = { company_id, item_id, ...fields, checklist, status: 'waiting' as const, version: item.version };
  await colleague.call(workItemsApi.save, savedItem, MAY_BE_LATE);
  const { replaced } = await owner.call(workItemsApi.change, { company_id, item_ids: [item_id], status: 'done' }, { isSafe: true });
  if (replaced.length > 0) await owner.call(workItemsApi.restore, { company_id, replaced }, MAY_BE_LATE);
  await owner.call(workTemplatesApi.remove, { company_id, key: 'ours' }, MAY_BE_LATE);
}

async function sendClientRequest({ colleague, company_id }: Practice, person: Person, key: Client): Promise<void> {
  const [request_id, item_id, question_id] = [randomUUID(), randomUUID(), randomUUID()];
  const items = [
    { item_id, kind: 'paper' as const, text: 'Bank statement' },
    { item_id: question_id, kind: 'question' as const, text: 'Who drives the van?' },
  ];
  await colleague.call(clientRequestsApi.create, { ...key, request_id, title: 'Records', due_on: LATER_DATE, items }, { isSafe: true });
  const clientKey = { company_id: key.client_id, client_id: key.client_id };
  await person.call(clientRequestsApi.list, clientKey);
  for (const id of [item_id, question_id])
    await person.call(clientRequestsApi.answer, { company_id: key.client_id, item_id: id, answer: createText(person, person.tenant) });
  await colleague.call(clientRequestsApi.listAll, { company_id, state: 'current', limit: 10 });
  await colleague.call(clientRequestsApi.decide, { ...key, item_id, decision: 'accept' }, MAY_BE_LATE);
  await colleague.call(clientRequestsApi.decide, { ...key, item_id: question_id, decision: 'ask_again', note: 'Who else?' }, MAY_BE_LATE);
  await colleague.call(clientRequestsApi.cancel, { ...key, request_id }, MAY_BE_LATE);
  await person.call(clientRequestsApi.write, { ...clientKey, post_id: randomUUID(), text: createText(person, person.tenant) });
  await colleague.call(clientRequestsApi.write, { ...key, post_id: randomUUID(), text: createText(colleague, colleague.tenant) });
  await colleague.call(clientRequestsApi.conversation, key);
}

async function sendMessages({ colleague, owner, company_id }: Practice, { client_id }: Client): Promise<void> {
  const content = { subject: 'About {client}', body: `Hello {client}, ${owner.tenant.marker}` };
  const selectionInput = { company_id, client_ids: [client_id], ...content };
  await owner.call(messagesApi.sendTest, { company_id, message_id: randomUUID(), client_id, ...content });
  await owner.call(messagesApi.preview, selectionInput);
  const message_id = randomUUID();
  await owner.call(messagesApi.send, { ...selectionInput, message_id, recipients: 1 }, { isSafe: true, isSentTwice: true });
  await owner.call(messagesApi.list, { company_id });
  await owner.call(messagesApi.details, { company_id, message_id });
  await owner.call(messagesApi.repeat, { company_id, message_id, client_id }, MAY_BE_LATE);
  await owner.call(messagesApi.cancel, { company_id, message_id }, MAY_BE_LATE);
  await colleague.call(notificationsApi.customers, { company_id });
}

async function leaveTeam({ owner, company_id, user_id }: Practice, person: Person, key: Client): Promise<void> {
  const member = { company_id, user_id };
  await owner.call(teamApi.ofClient, key);
  await owner.call(teamApi.duties, member);
  const choice = { successors: { manager: null } };
  const { plan } = await owner.call(teamApi.previewHandOver, { ...member, ...choice });
  await owner.call(teamApi.deactivate, { ...member, ...choice, plan }, { mayEnd: [404, 409] });
  await owner.call(teamApi.accessReport, member);
  await owner.call(teamApi.reactivate, member, MAY_BE_LATE);
  await owner.call(teamApi.endSessions, member, MAY_BE_LATE);
  await person.call(clientPortalApi.leave, { company_id: key.client_id, confirm: true }, { mayEnd: [404] });
}
