/** A practice's logo and colour: the logo is re-encoded, the colour corrected, and both shown only to the practice's own clients. */
import { randomUUID } from 'node:crypto';
import { Transformer } from '@napi-rs/image';
import { clientPeople, users } from '@portal/db/schema/schema.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildMessage } from '../../mail/build-message.ts';
import { startSession } from '../../http/session.ts';
import { addClient, addPractice, type TestPractice } from '../../testing/add-practice.ts';
import { addClientWithEmail, sendTo } from '../../testing/mailbox-steps.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { createBrowser } from '../../testing/test-trader.ts';

let portal: TestPortal;
let practice: TestPractice;
beforeAll(async () => {
  portal = await openTestPortal();
  practice = await addPractice(portal);
});
afterAll(() => portal.close());

const getOwnKey = () => ({ company_id: practice.companyId });
const createImage = (width: number, height: number) => Transformer.fromRgbaPixels(Buffer.alloc(width * height * 4, 200), width, height);
const upload = (bytes: Buffer) => practice.admin.upload('/open-tax/brand/logo', { ...getOwnKey(), file_name: 'logo.png' }, bytes);
const readLogo = async () => String((await practice.admin.get('/open-tax/brand', getOwnKey())).body['logo']);

it('a logo is re-encoded, smaller and without hidden data', async () => {
  const png = Buffer.concat([await createImage(1000, 500).png(), Buffer.from('<script>alert(1)</script>')]);
  expect((await upload(png)).status).toBe(201);
  const bytes = Buffer.from((await readLogo()).replace('data:image/png;base64,', ''), 'base64');
  expect(bytes.includes('<script>')).toBe(false);
  expect(await new Transformer(bytes).metadata()).toMatchObject({ format: 'png', width: 256, height: 128 });
  expect((await upload(await createImage(60, 40).jpeg())).status).toBe(201);
  expect(await new Transformer(Buffer.from((await readLogo()).split(',')[1] ?? '', 'base64')).metadata()).toMatchObject({
    format: 'png',
    width: 60,
  });
});

it.each([
  ['a text', () => Buffer.from('logo'), 422],
  ['an animation', () => Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64'), 422],
  ['more than 1 MB', () => Buffer.alloc(1024 * 1024 + 1), 413],
])('%s is rejected with the field and the reason, and the logo is kept', async (_case, make, status) => {
  await upload(Buffer.from(await createImage(60, 40).png()));
  const before = await readLogo();
  expect(await upload(make())).toMatchObject({ status, body: { message: { file: expect.any(String) } } });
  expect(await readLogo()).toBe(before);
});

it('a colour is corrected for both backgrounds, in the portal and in emails, which name the practice', async () => {
  expect((await practice.admin.post('/open-tax/brand', { ...getOwnKey(), colour: 'gold' })).status).toBe(400);
  expect((await practice.member.post('/open-tax/brand', { ...getOwnKey(), colour: '#FFD400' })).status).toBe(404);
  await practice.admin.post('/open-tax/brand', { ...getOwnKey(), colour: '#FFD400' });
  const clientId = await addClient(portal, practice.companyId, { name: 'Harlow Joinery Ltd' });
  const { database, clock, wallClock } = portal.deps;
  const userId = randomUUID();
  await database.db.insert(users).values({ id: userId, email: 'carl@brand.example', fullName: 'Carl', createdAt: clock.now() });
  await database.db.insert(clientPeople).values({ companyId: practice.companyId, clientId, userId, joinedAt: clock.now() });
  const session = await startSession(database.db, wallClock, { userId, signInMethod: 'link', ip: '', userAgent: '' });
  const carl = createBrowser(portal, `portal_session=${session}`);
  const { body } = await carl.get('/client/brand', { company_id: clientId });
  expect(body).toMatchObject({
    name: 'Oakline Accounting',
    colour: '#FFD400',
    shades: { light: expect.not.stringMatching('#FFD400'), dark: '#FFD400' },
  });
  const otherPractice = await addPractice(portal);
  const otherClient = await addClient(portal, otherPractice.companyId);
  expect((await carl.get('/client/brand', { company_id: otherClient })).status).toBe(404);

  await upload(Buffer.from(await createImage(400, 40).png()));
  portal.sentEmails.length = 0;
  await practice.admin.post('/client/conversation', { ...getOwnKey(), client_id: clientId, post_id: randomUUID(), text: 'Hello' });
  await portal.runJobs();
  const [email] = portal.sentEmails;
  const { light } = body['shades'] as { light: string };
  // The logo has twice its display size and is attached, because email clients don't fetch remote images.
  expect(email?.html).toMatch(
    new RegExp(`color:${light}"><img src="cid:practice-logo" width="200" height="20" alt="" [^>]*>Oakline Accounting<`),
  );
  expect(
    Buffer.from(email?.logo ?? [])
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG');
  expect(email?.text).not.toContain('cid:');
  expect(email?.text).toContain('Oakline Accounting via Tidewater');

  await practice.admin.post('/open-tax/brand', { ...getOwnKey(), colour: null, removes_logo: true });
  expect((await carl.get('/client/brand', { company_id: clientId })).body).toMatchObject({ colour: null, shades: null, logo: null });
});

it('messages to clients have the logo and the corrected colour, including those sent through a mailbox provider', async () => {
  const clientId = await addClientWithEmail(portal, practice.companyId, 'Ash', 'ash@brand.example');
  await practice.admin.post('/open-tax/brand', { ...getOwnKey(), colour: '#FFD400' });
  await upload(Buffer.from(await createImage(60, 40).png()));
  portal.sentEmails.length = 0;
  await sendTo(practice, [clientId]);
  await portal.runJobs();
  const email = portal.sentEmails.find(({ to }) => to === 'ash@brand.example');
  const name = /color:(#[0-9A-F]{6})"><img src="cid:practice-logo" [^>]*>Oakline Accounting</.exec(email?.html ?? '');
  expect(name?.[1]).not.toBe('#FFD400');
  expect(email?.text).not.toContain('cid:');
  const { text = '', html = '', logo } = email ?? {};
  const message = await buildMessage(
    { from: { name: 'Oakline', address: 'a@oakline.example' }, to: 'ash@brand.example', subject: '', text, html, ...(logo && { logo }) },
    'id',
  );
  const parts = Buffer.from(message).toString();
  expect(parts).toMatch(
    /multipart\/alternative[\s\S]+text\/plain[\s\S]+multipart\/related[\s\S]+text\/html[\s\S]+Content-I[dD]: <practice-logo>/,
  );
  expect(html).not.toMatch(/https?:/);
  await practice.admin.post('/open-tax/brand', { ...getOwnKey(), colour: null, removes_logo: true });
  portal.sentEmails.length = 0;
  await sendTo(practice, [clientId]);
  await portal.runJobs();
  expect(portal.sentEmails.find(({ to }) => to === 'ash@brand.example')?.html).not.toMatch(/cid:|color:/);
});
