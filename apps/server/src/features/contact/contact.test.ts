import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditEntries } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { createBrowser, signUp } from '../../testing/test-trader.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());

const CONTACT_MESSAGE = {
  name: 'Vera Visitor',
  email: 'vera@contact.example',
  topic: 'refund',
  message: 'When does my refund come, please?',
};

async function listSupportEmails() {
  await portal.runJobs();
  return portal.sentEmails.filter(({ to }) => to === 'support@portal.example');
}

describe('a message from the contact page', () => {
  it('reaches only our mailbox, with its reference and the sender’s address', async () => {
    const { status, body } = await createBrowser(portal).post('/contact-message', CONTACT_MESSAGE);
    expect(status).toBe(200);
    const reference = String(body['reference']);
    const email = (await listSupportEmails()).find(({ subject }) => subject.startsWith(reference));
    expect(email?.subject).toBe(`${reference}: refund, from Vera Visitor`);
    expect(email?.text).toContain(CONTACT_MESSAGE.message);
    expect(email?.text).toContain('Vera Visitor <vera@contact.example>');
    expect(email?.text).toContain('not signed in');
    expect(portal.sentEmails.some(({ to }) => to === CONTACT_MESSAGE.email)).toBe(false);
    const [entry] = await portal.deps.database.db.select().from(auditEntries).where(eq(auditEntries.subject, reference));
    expect(entry).toMatchObject({ action: 'contact_message.received', actor: 'visitor', after: { topic: 'refund' } });
  });

  it('includes the account of a signed-in person', async () => {
    const { browser: signedIn } = await signUp(portal, 'known@contact.example');
    const { body } = await signedIn.post('/contact-message', { ...CONTACT_MESSAGE, email: 'known@contact.example' });
    const email = (await listSupportEmails()).find(({ subject }) => subject.startsWith(String(body['reference'])));
    expect(email?.text).toMatch(/Account: [0-9a-f-]{36}/);
  });

  it.each([
    [{ name: ' ' }, 'name', 'Enter your name'],
    [{ name: 'Two\nlines' }, 'name', 'Enter your name on one line'],
    [{ email: '' }, 'email', 'Email is required'],
    [{ email: 'vera' }, 'email', 'Invalid email address'],
    [{ topic: 'nothing' }, 'topic', 'Choose a topic'],
    [{ message: 'Hi' }, 'message', 'Enter a message of at least 10 characters'],
    [{ message: 'x'.repeat(5_001) }, 'message', 'Enter a message of at most 5,000 characters'],
  ])('is rejected with an error on the field: %j', async (invalidFields, field, text) => {
    const { status, body } = await createBrowser(portal).post('/contact-message', { ...CONTACT_MESSAGE, ...invalidFields });
    expect([status, body['message']]).toEqual([400, { [field]: text }]);
  });

  it('is rejected after five messages from one address within 15 minutes', async () => {
    const send = () => createBrowser(portal).post('/contact-message', { ...CONTACT_MESSAGE, email: 'often@contact.example' });
    const statuses: number[] = [];
    for (let count = 0; count < 6; count += 1) statuses.push((await send()).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });
});

describe('the contact details', () => {
  it('are public and include only what is configured', async () => {
    expect((await createBrowser(portal).get('/contact-details')).body).toEqual({
      email: 'support@portal.example',
      phone: null,
      address: null,
    });
  });
});
