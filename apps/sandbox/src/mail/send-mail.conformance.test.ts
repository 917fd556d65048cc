/** Tests sending through Gmail and Microsoft Graph over real HTTP against the simulators (docs/reference/providers.md sections 4 and 5). */
import { describe, expect, it } from 'vitest';
import { createGmailSender, GMAIL_SEND_SCOPE } from '@portal/providers/google/gmail-client.ts';
import { createGoogleSignIn } from '@portal/providers/google/google-client.ts';
import type { MailSender, MailSenderDeps } from '@portal/providers/mailbox/mail-sender.ts';
import { createGraphMailSender, GRAPH_SEND_SCOPE } from '@portal/providers/microsoft/graph-mail-client.ts';
import { createMicrosoftSignIn } from '@portal/providers/microsoft/microsoft-client.ts';
import { createGoogleSimulator, GOOGLE_BASE_PATH, SANDBOX_GOOGLE } from '../google/google-simulator.ts';
import { createMicrosoftSimulator, MICROSOFT_BASE_PATH, SANDBOX_MICROSOFT } from '../microsoft/microsoft-simulator.ts';
import { authoriseAs, describeFailure, createAttempt, startProvider, type ProviderUnderTest } from '../oidc/testing/start-provider.ts';
import { findFreePort } from '../testing/find-free-port.ts';
import type { SandboxEmail } from './mailbox.ts';

const OLIVIA = { email: 'olivia@oakline.example', fullName: 'Olivia Oak' };
const RAW_MESSAGE = Buffer.from(
  'From: Oakline <somebody-else@oakline.example>\r\nTo: ash@client.example\r\nSubject: =?utf-8?Q?Due_=C2=A35?=\r\n\r\nHello\r\n',
);

type MailProvider = {
  readonly name: string;
  readonly provider: ProviderUnderTest;
  readonly scope: string;
  readonly operation: string;
  readonly createSender: (deps: MailSenderDeps) => MailSender;
};

const PROVIDERS: readonly MailProvider[] = [
  {
    name: 'Gmail',
    provider: {
      basePath: GOOGLE_BASE_PATH,
      credentials: SANDBOX_GOOGLE,
      createSimulator: createGoogleSimulator,
      createClient: createGoogleSignIn,
    },
    scope: GMAIL_SEND_SCOPE,
    operation: 'google.send_mail',
    createSender: createGmailSender,
  },
  {
    name: 'Outlook',
    provider: {
      basePath: MICROSOFT_BASE_PATH,
      credentials: SANDBOX_MICROSOFT,
      createSimulator: createMicrosoftSimulator,
      createClient: createMicrosoftSignIn,
    },
    scope: GRAPH_SEND_SCOPE,
    operation: 'microsoft.send_mail',
    createSender: createGraphMailSender,
  },
];

async function start({ provider, createSender }: MailProvider, extraScopes: readonly string[]) {
  const startedProvider = await startProvider(provider);
  startedProvider.controls.seedPerson(OLIVIA);
  const attempt = createAttempt(extraScopes);
  const params = await authoriseAs(startedProvider, OLIVIA.email, attempt);
  const { tokens } = await startedProvider.client.completeSignIn({ params, ...attempt.stored });
  const sender = createSender({ serverUrl: startedProvider.publicUrl, fetch, timeoutMs: 3_000 });
  const listEmails = () =>
    startedProvider.store
      .collection<SandboxEmail>('mail.messages')
      .list()
      .map(({ document }) => document);
  return { ...startedProvider, mails: listEmails, send: (token = tokens?.accessToken ?? '') => sender.send(token, RAW_MESSAGE) };
}

describe.each(PROVIDERS)('$name', (mailProvider) => {
  const { scope, operation } = mailProvider;

  it('sends a whole message, always from the account’s own address', async () => {
    const { send, mails } = await start(mailProvider, [scope]);
    await send();
    expect(mails()).toMatchObject([{ to: 'ash@client.example', from: `Oakline <${OLIVIA.email}>`, subject: 'Due £5', text: 'Hello\n' }]);
  });

  it('sends nothing without the scope, or without access', async () => {
    const { send, mails, controls } = await start(mailProvider, []);
    expect(await describeFailure(send())).toMatch(/^unauthorized/);
    const granted = await start(mailProvider, [scope]);
    granted.controls.revokeAccess(OLIVIA.email);
    expect(await describeFailure(granted.send())).toMatch(/^unauthorized/);
    controls.revokeAccess(OLIVIA.email);
    expect([...mails(), ...granted.mails()]).toEqual([]);
  });

  it.each([
    ['too_many', 'throttled', 0],
    ['too_many_later', 'throttled', 0],
    ['forbidden', 'refused', 0],
    ['server_error', 'unknown', 0],
    ['html_page', 'unknown', 0],
    ['cut_before_work', 'unknown', 0],
    ['timeout_after_work', 'unknown', 1],
  ] as const)('reports the fault %s as %s', async (kind, failure, sent) => {
    const { send, mails, faults } = await start(mailProvider, [scope]);
    faults.set({ operation, kind, times: 1 });
    expect((await describeFailure(send())).split(' ')[0]).toBe(failure);
    expect(mails()).toHaveLength(sent);
  });

  it('is throttled beyond the provider’s own limit', async () => {
    const { send, mails } = await start(mailProvider, [scope]);
    let failure = '';
    while (failure === '' && mails().length < 200) failure = await describeFailure(send()).catch(() => '');
    expect(failure).toMatch(/^throttled/);
    expect(mails().length).toBe(mailProvider.name === 'Gmail' ? 150 : 30);
  });

  it('reports that the server wasn’t reached if no connection was made', async () => {
    const serverUrl = `http://127.0.0.1:${await findFreePort()}`;
    const createSender = (deps: MailSenderDeps) => mailProvider.createSender({ ...deps, serverUrl });
    const { send } = await start({ ...mailProvider, createSender }, [scope]);
    expect(await describeFailure(send())).toMatch(/^unavailable/);
  });
});
