/** Sends email through a practice's own mailbox. */
import type { MailSender } from '@portal/providers/mailbox/mail-sender.ts';
import type { MailboxProvider } from '@portal/domain/messages/sending-limits.ts';
import { required, type CasesOf } from './operation-case.ts';
import { OFFLINE_SCOPES, returnFromProvider } from './people-cases.ts';

const SIGN_IN = { gmail: 'google', outlook: 'microsoft' } as const;
const RAW_MESSAGE = Buffer.from('From: a@practice.example\r\nTo: b@client.example\r\nSubject: Hello\r\n\r\nHello\r\n');

export function createMailCases(mailbox: MailboxProvider): CasesOf<MailSender> {
  const provider = SIGN_IN[mailbox];
  return {
    // Neither provider has a key that makes a repeated send harmless. The portal repeats none whose outcome is unknown (send-once.test.ts).
    send: {
      effect: 'write',
      // Microsoft accepts an email with 202 and no content.
      ...(mailbox === 'outlook' ? { hasEmptyAnswer: true as const } : {}),
      prepare: async (testBed, clients) => {
        const callback = await returnFromProvider(testBed, provider, clients, OFFLINE_SCOPES[provider]);
        const { tokens } = await required(clients.signIn[provider], `sign-in with ${provider}`).completeSignIn(callback);
        const accessToken = required(tokens?.accessToken, `access token of ${provider}`);
        return (laterClients) => required(laterClients.mailboxes[mailbox], mailbox).sender.send(accessToken, RAW_MESSAGE);
      },
    },
  };
}
