/** Tests letters of engagement, from the practice's template to a signature that proves what was signed, by whom, when and from where. */
import { createHash, randomUUID } from 'node:crypto';
import { clientInvitations, clientPeople, engagementLetters, users } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { SIGNING_STATEMENT } from '@portal/domain/engagement/engagement-letter.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startSession } from '../../http/session.ts';
import { addClient, addPractice, type TestPractice } from '../../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { readPdf } from '../../testing/read-pdf.ts';
import { type Browser, createBrowser } from '../../testing/test-trader.ts';

let portal: TestPortal;
let practice: TestPractice;
let clientId: string;
let carl: Browser;
let carlsCookie: string;
beforeAll(async () => {
  portal = await openTestPortal();
  practice = await addPractice(portal);
  const text = 'Dear {client},\n\nWe act for you in {taxes} from {date}.\n\n{sender}, {practice}';
  await practice.admin.post('/open-tax/engagement-template', { company_id: practice.companyId, text });
});
afterAll(() => portal.close());
beforeEach(async () => {
  clientId = await addClient(portal, practice.companyId, { name: 'Harlow Joinery Ltd', taxes: ['vat', 'paye'] });
  const { database, clock, wallClock } = portal.deps;
  const [userId, createdAt] = [randomUUID(), clock.now()];
  await database.db.insert(users).values({ id: userId, email: `${userId}@harlow.example`, fullName: 'Carl Harlow', createdAt });
  await database.db.insert(clientPeople).values({ companyId: practice.companyId, clientId, userId, joinedAt: createdAt });
  const session = await startSession(database.db, wallClock, { userId, signInMethod: 'link', ip: '', userAgent: '' });
  carlsCookie = `portal_session=${session}`;
  carl = createBrowser(portal, carlsCookie);
  await portal.runJobs();
  portal.sentEmails.length = 0;
});

const getOwnKey = () => ({ company_id: clientId, client_id: clientId });
const getClientKey = () => ({ company_id: practice.companyId, client_id: clientId });
type Letter = { letter_id: string; state: string; text: string; digest: string; signed_name: string | null };
const list = async (browser: Browser, ids: Record<string, string>) =>
  (await browser.get('/client/engagement-letters', ids)).body['letters'] as Letter[];
const send = () => practice.admin.post('/client/engagement-letters', { ...getClientKey(), letter_id: randomUUID() });
const sign = (letter: Letter | undefined, changes: object = {}) =>
  carl.post('/client/engagement-letters/sign', {
    company_id: clientId,
    letter_id: letter?.letter_id,
    digest: letter?.digest,
    full_name: 'Carl Harlow',
    agree: true,
    ...changes,
  });
const count = async (letter: string) => {
  const { body } = await practice.admin.get('/open-tax/client-companies/count', { company_id: practice.companyId, letter });
  return body['count'];
};

describe('a letter', () => {
  it('is the template with the client’s facts, and is signed once, with name, time and IP address', async () => {
    const before = { none: await count('none'), signed: await count('signed') };
    expect((await send()).status).toBe(200);
    const [letter] = await list(carl, getOwnKey());
    expect(letter).toMatchObject({
      state: 'unsigned',
      text: 'Dear Harlow Joinery Ltd,\n\nWe act for you in VAT and PAYE from 10 November 2026.\n\npractice_admin, Oakline Accounting',
    });
    expect(letter?.digest).toBe(createHash('sha256').update(`${letter?.text}\n\n${SIGNING_STATEMENT}`).digest('hex'));
    expect((await carl.get('/client/portal', getOwnKey())).body['to_do']).toMatchObject({ letter: true });
    expect((await sign(letter, { full_name: 'Carl' })).body).toMatchObject({
      message: { full_name: expect.stringContaining('last name') },
    });
    expect((await sign(letter, { agree: false })).status).toBe(400);
    expect((await sign(letter, { digest: 'f'.repeat(64) })).status).toBe(409);
    expect((await sign(letter)).status).toBe(200);
    expect((await sign(letter, { full_name: 'Somebody Else' })).status).toBe(200);
    const [row] = await portal.deps.database.db
      .select()
      .from(engagementLetters)
      .where(eq(engagementLetters.id, letter?.letter_id ?? ''));
    expect(row).toMatchObject({ signedName: 'Carl Harlow', signedIp: '198.51.100.7', text: letter?.text });
    expect(row?.signedAt).not.toBeNull();
    expect((await carl.get('/client/portal', getOwnKey())).body['to_do']).toMatchObject({ letter: false });
    expect([await count('none'), await count('signed')]).toEqual([Number(before.none) - 1, Number(before.signed) + 1]);
    await portal.runJobs();
    expect(portal.sentEmails.map(({ subject }) => subject).toSorted()).toEqual([
      'Oakline Accounting has sent you a letter of engagement to sign',
      'The letter of engagement for Harlow Joinery Ltd has been signed',
      'The letter of engagement for Harlow Joinery Ltd has been signed',
    ]);
    for (const { text } of portal.sentEmails) expect(text).not.toContain('We act for you');
  });

  it('is a tagged PDF with its signature, for both sides and no one else', async () => {
    await send();
    const [letter] = await list(carl, getOwnKey());
    await sign(letter);
    const open = (cookie: string, ids: Record<string, string>) =>
      portal.app.inject({
        method: 'GET',
        url: '/portal/client/engagement-letters/file',
        query: { ...ids, letter_id: letter?.letter_id ?? '' },
        headers: { cookie },
      });
    const fileResponse = await open(carlsCookie, getOwnKey());
    expect(fileResponse.headers['content-disposition']).toContain('Letter of engagement Harlow Joinery Ltd.pdf');
    const { texts, rows } = await readPdf(fileResponse.rawPayload);
    // Only a tagged file provides text with its tags.
    const text = [...texts, ...rows.flat()].map((part) => part.text).join(' ');
    for (const part of ['We act for you in VAT and PAYE', 'Carl Harlow', '198.51.100.7', letter?.digest.slice(0, 20) ?? ''])
      expect(text).toContain(part);
    expect((await open(practice.cookies.admin, getClientKey())).statusCode).toBe(200);
    expect((await open(practice.cookies.member, getClientKey())).statusCode).toBe(404);
    const otherClient = await addClient(portal, practice.companyId);
    expect((await open(practice.cookies.admin, { company_id: practice.companyId, client_id: otherClient })).statusCode).toBe(404);
  });

  it('is superseded by the next one, which can be signed while the old one can’t', async () => {
    await send();
    const [first] = await list(carl, getOwnKey());
    await send();
    expect((await list(practice.admin, getClientKey())).map(({ state }) => state)).toEqual(['unsigned', 'superseded']);
    expect(await list(carl, getOwnKey())).toHaveLength(1);
    expect(await sign(first)).toMatchObject({ status: 409, body: { code: 'engagement.superseded' } });
  });

  it('accompanies an invitation, which announces it', async () => {
    const email = `${randomUUID()}@harlow.example`;
    await practice.admin.post('/client-onboarding/invite', { ...getClientKey(), email, with_letter: true });
    await portal.runJobs();
    // Users with access already get the letter in the portal, so the invitation is the only email.
    expect(portal.sentEmails.map(({ to }) => to)).toEqual([email]);
    const token = /token=([\w-]+)/.exec(portal.sentEmails[0]?.text ?? '')?.[1] ?? '';
    expect((await createBrowser(portal).get('/client-invitation', { token })).body['asks']).toEqual({ letter: true, authority: [] });
    expect(await portal.deps.database.db.select().from(clientInvitations).where(eq(clientInvitations.email, email))).toHaveLength(1);
  });
});

describe('the template', () => {
  it('accepts only fields that exist, and only an admin changes it', async () => {
    const input = { company_id: practice.companyId, text: 'Dear {clinet}' };
    expect((await practice.admin.post('/open-tax/engagement-template', input)).body).toMatchObject({
      message: { text: expect.stringContaining('{clinet}') },
    });
    expect((await practice.member.post('/open-tax/engagement-template', { ...input, text: 'x' })).status).toBe(404);
  });

  it('is needed to send a letter', async () => {
    const practiceWithoutLetters = await addPractice(portal);
    const client = await addClient(portal, practiceWithoutLetters.companyId);
    const input = { company_id: practiceWithoutLetters.companyId, client_id: client, letter_id: randomUUID() };
    expect(await practiceWithoutLetters.admin.post('/client/engagement-letters', input)).toMatchObject({
      status: 409,
      body: { code: 'engagement.no_template' },
    });
  });
});

describe('consent to electronic communication', () => {
  it('is given once, and kept with its time', async () => {
    expect((await carl.get('/client/portal', getOwnKey())).body['to_do']).toMatchObject({ consent: true, phone: true });
    expect((await carl.post('/client/consent', { company_id: clientId, agree: false })).status).toBe(400);
    await carl.post('/client/consent', { company_id: clientId, agree: true });
    expect((await carl.get('/client/portal', getOwnKey())).body['to_do']).toMatchObject({ consent: false });
    const timeline = (await practice.admin.get('/client/timeline', getClientKey())).body['entries'];
    expect(timeline).toContainEqual(expect.objectContaining({ title: 'Agreed to electronic communication' }));
  });
});
