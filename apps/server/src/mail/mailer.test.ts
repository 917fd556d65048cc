/** Tests the sender and reply address that recipients see, over SMTP. */
import { systemClock } from '@portal/domain/clock.ts';
import { openMailbox } from '@portal/sandbox/mail/mailbox.ts';
import { parseEmail } from '@portal/sandbox/mail/parse-email.ts';
import { openSmtpInbox } from '@portal/sandbox/mail/smtp-inbox.ts';
import { openFaults } from '@portal/sandbox/simulator/faults.ts';
import { openSimulatorStore } from '@portal/sandbox/simulator/simulator-store.ts';
import { expect, it } from 'vitest';
import { buildMessage } from './build-message.ts';
import { createMailer, type OutgoingEmail } from './mailer.ts';

const FROM = 'Tidewater <no-reply@portal.example>';
/** Displayed as “HM Revenue”. */
const DISGUISED = 'H\u200BM \u202EeuneveR\u202C';
const VISIBLE = 'HM euneveR';

async function sendBySmtpServer(author?: OutgoingEmail['author']) {
  const store = openSimulatorStore(':memory:');
  const mailbox = openMailbox(store, systemClock);
  const server = await openSmtpInbox(mailbox, openFaults(store, { slowMs: 0, hangMs: 0 }), 0, { host: '127.0.0.1', reportPort: 9 });
  const mailer = createMailer({ smtpUrl: `smtp://127.0.0.1:${server.port}`, from: FROM });
  try {
    await mailer.send({ to: 'carl@client.example', subject: 'Hello', text: 'Hello', ...(author && { author }) }, 'id');
  } finally {
    mailer.close();
    await server.close();
  }
  return mailbox.list()[0];
}

it('an email is sent in our own name, without a reply address, if no practice is its author', async () => {
  expect(await sendBySmtpServer()).toMatchObject({ from: FROM, reply_to: null });
});

it('an email shows the practice’s name without characters that hide or reorder text', async () => {
  const author = { name: `${DISGUISED} via Tidewater`, replyTo: 'office@practice.example' };
  expect(await sendBySmtpServer(author)).toMatchObject({
    from: `${VISIBLE} via Tidewater <no-reply@portal.example>`,
    reply_to: 'office@practice.example',
  });
  const from = { name: DISGUISED, address: 'office@practice.example' };
  const message = await buildMessage({ from, to: 'carl@client.example', subject: 'Hello', text: 'Hello', html: '' }, 'id');
  expect((await parseEmail(message)).from).toBe(`${VISIBLE} <office@practice.example>`);
});
