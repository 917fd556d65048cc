/** Operators' work other than decisions about advances: messages, users, limits, partners, jobs, screening, viewing as a user. */
import { randomUUID } from 'node:crypto';
import { approvalsApi } from '@portal/contract/approvals.ts';
import { deskApi } from '@portal/contract/desk.ts';
import { identityApi } from '@portal/contract/identity.ts';
import { identityCheckApi } from '@portal/contract/identity-check.ts';
import { nightlyRefreshApi } from '@portal/contract/nightly-refresh.ts';
import { AUDIT_EXPORT_PATH, operationsApi } from '@portal/contract/operations.ts';
import { operatorCompaniesApi } from '@portal/contract/operator-companies.ts';
import { operatorMessagesApi } from '@portal/contract/operator-messages.ts';
import { operatorPeopleApi } from '@portal/contract/operator-people.ts';
import { LEDGER_EXPORT_PATH, operatorsApi } from '@portal/contract/operators.ts';
import { operatorPartnersApi } from '@portal/contract/partners.ts';
import { screeningApi } from '@portal/contract/screening.ts';
import { securityApi } from '@portal/contract/security.ts';
import { viewingApi } from '@portal/contract/viewing.ts';
import { pence } from '@portal/domain/money.ts';
import { generateCode } from '@portal/sandbox/seed/authenticator-code.ts';
import { createPerson } from './hostile-person.ts';
import type { OperatorPeople } from './operators.ts';
import { getEmail, createTenant, waitForToken, type HostileTestBed } from './people.ts';

const MAY_BE_LATE = { mayEnd: [404, 409] } as const;

export async function runOperatorSequence(testBed: HostileTestBed): Promise<void> {
  await testBed.operators.use(readDesk);
  await testBed.operators.use(answerMessages);
  await testBed.operators.use(manageOperators);
  await inviteOperator(testBed);
}

async function readDesk({ olga, otis }: OperatorPeople): Promise<void> {
  const { advances } = await olga.call(deskApi.list, { queue: 'all', limit: 20 });
  const { next_cursor: nextPage } = await olga.ask(deskApi.list, { queue: 'all', limit: 1 });
  if (nextPage !== null) await olga.call(deskApi.list, { queue: 'all', limit: 1, cursor: nextPage });
  await olga.call(deskApi.summary, { queue: 'all' });
  await olga.call(deskApi.promise, { days: 7 });
  const [advance] = advances;
  if (advance) {
    const { company_id, advance_id } = advance;
    const { operators } = await olga.call(deskApi.operators, {});
    await olga.call(deskApi.assign, { advances: [{ company_id, advance_id }], operator_id: operators[0]?.user_id ?? null }, MAY_BE_LATE);
    await olga.call(deskApi.addNote, { company_id, subject_id: advance_id, note_id: randomUUID(), text: 'Looked at it' }, MAY_BE_LATE);
    await olga.call(deskApi.notes, { company_id, subject_id: advance_id });
    await olga.call(operatorCompaniesApi.get, { company_id });
    const { owners } = await olga.call(identityCheckApi.listOwners, { company_id });
    const [owner] = owners;
    const evidence = { full_name: owner?.full_name ?? '', evidence: 'Passport seen in the office' };
    if (owner) await olga.call(identityCheckApi.verifyByHand, { company_id, user_id: owner.user_id, ...evidence }, MAY_BE_LATE);
  }
  await olga.call(deskApi.saveView, { name: 'Mine', query: 'queue=all', is_shared: true });
  const { views } = await olga.call(deskApi.views, {});
  for (const { view_id } of views.slice(0, 1)) await olga.call(deskApi.removeView, { view_id }, MAY_BE_LATE);
  await olga.call(operatorCompaniesApi.list, { q: 'a', sort: 'newest' });
  await olga.call(operatorCompaniesApi.exposure, {});
  await olga.call(operatorsApi.ledger, {});
  await olga.open(LEDGER_EXPORT_PATH, {}, { corrupted: 3 });
  await olga.call(operationsApi.jobs, {});
  await olga.call(operationsApi.retryJob, { job_id: randomUUID(), reason: 'Try again' }, MAY_BE_LATE);
  await olga.call(operationsApi.discardJob, { job_id: randomUUID(), reason: 'Not needed' }, MAY_BE_LATE);
  await olga.call(operationsApi.health, {}, { corrupted: 4 });
  const { next_cursor } = await olga.call(operationsApi.audit, {});
  if (next_cursor !== null) await olga.call(operationsApi.audit, { cursor: next_cursor });
  await olga.open(AUDIT_EXPORT_PATH, { action: 'advance.accepted' }, { corrupted: 3 });
  const { suspicions } = await otis.call(screeningApi.list, {});
  const [suspicion] = suspicions.filter(({ decision }) => decision === null);
  const { company_id, suspicion_id } = suspicion ?? { company_id: randomUUID(), suspicion_id: randomUUID() };
  await otis.call(screeningApi.decide, { company_id, suspicion_id, decision: 'cleared', reason: 'Another date of birth' }, MAY_BE_LATE);
}

async function answerMessages({ olga }: OperatorPeople): Promise<void> {
  const { messages } = await olga.call(operatorMessagesApi.list, { state: 'open' });
  const [message] = messages;
  if (!message) return;
  const { message_id } = message;
  await olga.call(operatorMessagesApi.get, { message_id });
  await olga.call(operatorMessagesApi.note, { message_id, entry_id: randomUUID(), text: 'Asked finance' }, MAY_BE_LATE);
  await olga.call(operatorMessagesApi.assign, { message_id, operator_id: null }, MAY_BE_LATE);
  await olga.call(
    operatorMessagesApi.reply,
    { message_id, entry_id: randomUUID(), text: 'We’re looking into it.' },
    { ...MAY_BE_LATE, corrupted: 6 },
  );
  await olga.call(operatorMessagesApi.setState, { message_id, state: 'closed' }, MAY_BE_LATE);
}

async function manageOperators({ olga, omar }: OperatorPeople): Promise<void> {
  await olga.call(operatorPartnersApi.list, {});
  await olga.call(operatorPartnersApi.addContact, { partner: 'gofile', email: 'tessa@brightwell.example' }, MAY_BE_LATE);
  const { partners } = await olga.ask(operatorPartnersApi.list, {});
  const partner = partners.find(({ contacts }) => contacts.length > 0);
  if (partner)
    await olga.call(operatorPartnersApi.removeContact, { partner: partner.name, user_id: partner.contacts[0]?.user_id ?? '' }, MAY_BE_LATE);
  await olga.call(
    operatorPeopleApi.recordOwnAccount,
    { sort_code: '20-99-99', account_number: '00000001' },
    { corrupted: 6, isSafe: true },
  );
  await olga.call(operatorPeopleApi.listOwnAccounts, {});
  await olga.call(nightlyRefreshApi.confirmation, {});
  await olga.call(nightlyRefreshApi.confirm, { headers: [], note: 'HMRC ticket 123, November 2026' }, { corrupted: 6 });
  const change = { company_id: null, limit_pence: pence(500_000_000_00), reason: 'More funding' };
  await olga.call(operatorCompaniesApi.changeLimit, change, { ...MAY_BE_LATE, isSafe: true });
  const { requests } = await omar.call(approvalsApi.list, {});
  const limit = requests.find(({ can_decide }) => can_decide);
  if (limit)
    await omar.call(approvalsApi.reject, { company_id: limit.company_id, request_id: limit.request_id, reason: 'Not now' }, MAY_BE_LATE);
}

/** Two administrators invite an operator, who enrols with an authenticator app, views the portal as a user, and is disabled. */
async function inviteOperator(testBed: HostileTestBed): Promise<void> {
  const tenant = createTenant(testBed);
  const email = getEmail(tenant, 'operator');
  await testBed.operators.use(async ({ olga, omar }) => {
    await olga.call(operatorPeopleApi.list, {});
    const invitation = { email, full_name: `Op ${tenant.marker}`, roles: ['support' as const], reason: 'A new colleague' };
    const inviteResponse = await olga.call(operatorPeopleApi.invite, invitation, { isSafe: true });
    const { requests } = await omar.ask(approvalsApi.list, {});
    const request = requests.find(({ request_id }) => request_id === inviteResponse.request_id);
    if (request) await omar.call(approvalsApi.approve, { company_id: request.company_id, request_id: request.request_id });
  });
  const person = createPerson(testBed.run, tenant, testBed.random, { ip: '10.8.8.8', isOperator: true });
  const token = await waitForToken(testBed, email);
  await person.call(identityApi.previewLink, { token });
  await person.call(identityApi.consumeLink, { token }, { isSafe: true });
  const { secret } = await person.call(securityApi.startAuthenticatorSetup, {}, { isSafe: true, corrupted: 5 });
  await person.call(securityApi.confirmAuthenticator, { code: generateCode(secret) }, { isSafe: true, corrupted: 5 });
  await person.call(deskApi.list, { queue: 'all' }, { mayEnd: [404] });
  const { people } = await testBed.operators.use(({ olga }) => olga.ask(operatorPeopleApi.list, {}));
  const self = people.find((item) => item.email === email);
  const { type, user_id } = await testBed.oakline.tom.ask(identityApi.checkLogin, {});
  if (type !== undefined && user_id !== undefined) {
    await person.call(viewingApi.start, { user_id, reason: 'They asked for help' }, { mayEnd: [403, 404, 409] });
    await person.call(identityApi.userCompanies, {}, { corrupted: 4 });
    await person.call(viewingApi.end, {}, { corrupted: 3, mayEnd: [403, 409] });
  }
  if (!self) return;
  await testBed.operators.use(async ({ olga }) => {
    const key = { user_id: self.user_id };
    await olga.call(operatorPeopleApi.changeRoles, { ...key, roles: ['finance'], reason: 'Changed work' }, MAY_BE_LATE);
    await olga.call(operatorPeopleApi.endSessions, key, { ...MAY_BE_LATE, corrupted: 5 });
    await olga.call(operatorPeopleApi.renewLink, { ...key, reason: 'Lost the phone' }, { ...MAY_BE_LATE, corrupted: 5 });
    await olga.call(operatorPeopleApi.disable, key, { ...MAY_BE_LATE, corrupted: 5 });
  });
}
