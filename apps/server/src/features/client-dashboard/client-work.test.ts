/** Tests a practice's records about a client: notes, tags and contacts, who may change them, and what the audit trail keeps. */
import { auditEntries } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addClient, addPractice, assignClient, type TestPractice } from '../../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';

let portal: TestPortal;
let practice: TestPractice;
let otherPractice: TestPractice;
let clientId: string;
beforeAll(async () => {
  portal = await openTestPortal({ at: '2026-11-10T09:00:00.000Z' });
  practice = await addPractice(portal);
  otherPractice = await addPractice(portal);
});
beforeEach(async () => {
  clientId = await addClient(portal, practice.companyId);
  await assignClient(portal, practice.companyId, clientId, practice.memberId);
});
afterAll(() => portal.close());

const getKey = () => ({ company_id: practice.companyId, client_id: clientId });
const listAudit = (action: string) =>
  portal.deps.database.db
    .select({ before: auditEntries.before, after: auditEntries.after })
    .from(auditEntries)
    .where(and(eq(auditEntries.subject, clientId), eq(auditEntries.action, action)));

describe('a note', () => {
  const write = async (text: string) => (await practice.member.post('/client/notes', { ...getKey(), text })).body;
  const list = async () => (await practice.member.get('/client/notes', getKey())).body['notes'];

  it('is edited by its author or an admin, and the audit trail and timeline keep the earlier text', async () => {
    const { note_id: noteId } = await write('Year end is 31 March.');
    const edit = (text: string, seenEditedAt: unknown) => ({ ...getKey(), note_id: noteId, text, edited_at: seenEditedAt });
    const editedResponse = await practice.member.post('/client/notes/edit', edit('Year end is 30 April.', null));
    expect(editedResponse.body).toMatchObject({ text: 'Year end is 30 April.', edited_at: expect.any(String), may_edit: true });
    expect(await listAudit('client.note_edited')).toEqual([
      { before: { note_id: noteId, text: 'Year end is 31 March.' }, after: { note_id: noteId } },
    ]);
    const { entries } = (await practice.admin.get('/client/timeline', getKey())).body;
    expect(entries).toContainEqual(expect.objectContaining({ title: 'Note edited', detail: 'Previously: Year end is 31 March.' }));
    const lateResponse = await practice.admin.post('/client/notes/edit', edit('Something else', null));
    expect(lateResponse).toMatchObject({ status: 409, body: { code: 'note.changed_since' } });
    expect((await practice.admin.post('/client/notes/edit', edit('By an admin', editedResponse.body['edited_at']))).status).toBe(200);
    expect(await list()).toMatchObject([{ text: 'By an admin', author: 'team_member' }]);
  });

  it('of another person can’t be edited by a team member', async () => {
    const { body } = await practice.admin.post('/client/notes', { ...getKey(), text: 'From the admin' });
    expect(await list()).toMatchObject([{ may_edit: false }]);
    const edit = { ...getKey(), note_id: body['note_id'], text: 'Changed', edited_at: null };
    expect(await practice.member.post('/client/notes/edit', edit)).toMatchObject({ status: 403, body: { code: 'note.not_yours' } });
    expect((await otherPractice.admin.post('/client/notes/edit', { ...edit, company_id: otherPractice.companyId })).status).toBe(404);
  });

  it('stays above newer ones while it is pinned', async () => {
    const first = await write('Call only in the morning.');
    portal.moveClock('2026-11-10T10:00:00.000Z');
    await write('Rang.');
    const pin = (isPinned: boolean) =>
      practice.member.post('/client/notes/pin', { ...getKey(), note_id: first['note_id'], is_pinned: isPinned });
    await pin(true);
    expect(await list()).toMatchObject([{ text: 'Call only in the morning.', is_pinned: true }, { text: 'Rang.' }]);
    await pin(false);
    expect(await list()).toMatchObject([{ text: 'Rang.' }, { text: 'Call only in the morning.', is_pinned: false }]);
    expect(await listAudit('client.note_pinned')).toHaveLength(1);
  });

  it('of another client is not found', async () => {
    const { note_id: noteId } = await write('Mine');
    const otherClient = await addClient(portal, practice.companyId);
    const response = await practice.admin.post('/client/notes/pin', {
      ...getKey(),
      client_id: otherClient,
      note_id: noteId,
      is_pinned: true,
    });
    expect(response.status).toBe(404);
  });
});

describe('contacts', () => {
  const jo = { name: 'Jo Alder', role: 'Director', email: 'jo@alder.example', phone: '0113 496 0000' };

  it('are added, changed and removed, and each change is audited', async () => {
    const { body: addedContact } = await practice.member.post('/client/contacts', { ...getKey(), ...jo });
    expect((await practice.member.get('/client/contacts', getKey())).body).toEqual({
      contacts: [{ contact_id: addedContact['contact_id'], ...jo }],
    });
    const contactKey = { ...getKey(), contact_id: addedContact['contact_id'] };
    await practice.member.post('/client/contacts/edit', { ...contactKey, ...jo, phone: '' });
    await practice.member.post('/client/contacts/remove', contactKey);
    expect((await practice.member.get('/client/contacts', getKey())).body).toEqual({ contacts: [] });
    const { entries } = (await practice.admin.get('/client/timeline', getKey())).body;
    expect(entries).toMatchObject([
      { title: 'Contact removed', detail: 'Jo Alder' },
      { title: 'Contact changed', detail: 'phone from 0113 496 0000 to none' },
      { title: 'Contact added', detail: 'Jo Alder' },
    ]);
  });

  it('need a name and a valid email address', async () => {
    expect((await practice.member.post('/client/contacts', { ...getKey(), ...jo, name: ' ' })).status).toBe(400);
    const response = await practice.member.post('/client/contacts', { ...getKey(), ...jo, email: 'jo' });
    expect(response).toMatchObject({ status: 400 });
    expect(JSON.stringify(response.body)).toContain('Enter an email address, for example jo@example.com');
  });

  it('are hidden from other practices and from colleagues who are not assigned', async () => {
    const unassignedInput = { ...getKey(), client_id: await addClient(portal, practice.companyId) };
    expect((await practice.member.get('/client/contacts', unassignedInput)).status).toBe(404);
    expect((await practice.member.post('/client/contacts', { ...unassignedInput, ...jo })).status).toBe(404);
    expect((await otherPractice.admin.post('/client/contacts', { ...getKey(), ...jo })).status).toBe(404);
  });
});

describe('tags', () => {
  it('are stored once each, shown with the client and offered to colleagues who may see one of its clients', async () => {
    const response = await practice.member.post('/client/tags', { ...getKey(), tags: [' VIP ', 'vip', 'Payroll  bureau'] });
    expect(response.body).toEqual({ tags: ['VIP', 'Payroll bureau'] });
    expect((await practice.member.get('/client/profile', getKey())).body).toMatchObject({ tags: ['VIP', 'Payroll bureau'] });
    const hiddenClient = await addClient(portal, practice.companyId);
    await practice.admin.post('/client/tags', { ...getKey(), client_id: hiddenClient, tags: ['Hidden'] });
    const query = { company_id: practice.companyId };
    expect((await practice.member.get('/client/tags', query)).body).toEqual({ tags: ['Payroll bureau', 'VIP'] });
    expect((await practice.admin.get('/client/tags', query)).body).toEqual({ tags: ['Hidden', 'Payroll bureau', 'VIP'] });
    expect((await otherPractice.admin.get('/client/tags', { company_id: otherPractice.companyId })).body).toEqual({ tags: [] });
  });

  it('that are too long are rejected with the field', async () => {
    const response = await practice.member.post('/client/tags', { ...getKey(), tags: ['x'.repeat(31)] });
    expect(response).toMatchObject({ status: 400, body: { message: { tags: expect.stringContaining('at most 30 characters') } } });
  });
});
