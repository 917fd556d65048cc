/** Tests that a message is sent at most once, whatever happens to the provider or to our process, and within the provider's limits. */
import { randomInt } from 'node:crypto';
import { addMilliseconds, systemClock, type Instant } from '@portal/domain/clock.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AppDeps } from '../../app-deps.ts';
import { addPractice, type TestPractice } from '../../testing/add-practice.ts';
import { addClientWithEmail, connectMailbox, listOutcomes, listSentEmails, sendTo, sweepMessages } from '../../testing/mailbox-steps.ts';
import { openTestPortal, type TestInstance, type TestPortal } from '../../testing/open-test-portal.ts';

let portal: TestPortal;
let practice: TestPractice;
let email: string;
let minutesAhead = 0;
const wallClock = { ...systemClock, now: (): Instant => addMilliseconds(systemClock.now(), minutesAhead) };
let laterInstance: TestInstance;

beforeAll(async () => {
  portal = await openTestPortal();
  // Runs on a later wall clock, so that limits and waits have passed.
  laterInstance = await portal.openInstance({ wallClock });
});
afterAll(async () => {
  await laterInstance.close();
  await portal.close();
});
beforeEach(async () => {
  minutesAhead = 0;
  practice = await addPractice(portal);
  email = `office-${practice.companyId.slice(0, 8)}@oakline.example`;
  await connectMailbox(portal, practice, { provider: 'gmail', email });
});
afterEach(() => portal.faults.clear());

const addClients = async (count: number): Promise<string[]> => {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    ids.push(
      await addClientWithEmail(
        portal,
        practice.companyId,
        `Client ${String(index).padStart(3, '0')}`,
        `c${index}@${practice.companyId}.example`,
      ),
    );
  }
  return ids;
};
const listOwnEmails = () => listSentEmails(portal).filter(({ to }) => to.endsWith(`@${practice.companyId}.example`));
const count = async (id: string): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const status of Object.values(await listOutcomes(practice, id))) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

describe('an unusable response', () => {
  it.each(['timeout_after_work', 'server_error', 'html_page', 'cut_off', 'cut_before_work'] as const)(
    '(%s) leaves it open whether the message was sent, and only a person sends it again',
    async (kind) => {
      const [client = ''] = await addClients(1);
      portal.faults.set({ operation: 'google.send_mail', kind, times: 1 });
      const id = await sendTo(practice, [client]);
      await portal.runJobs();
      expect(await count(id)).toEqual({ unknown: 1 });
      const before = listOwnEmails().length;
      minutesAhead = 3_600_000;
      await sweepMessages(laterInstance);
      expect(listOwnEmails()).toHaveLength(before);
      const timelineResponse = await practice.admin.get('/client/timeline', { company_id: practice.companyId, client_id: client });
      expect(timelineResponse.body['entries']).toMatchObject([{ title: 'Email may have been sent: About Client 000' }]);
      const repeat = () =>
        practice.admin.post('/open-tax/messages/repeat', { company_id: practice.companyId, message_id: id, client_id: client });
      expect((await repeat()).status).toBe(200);
      await laterInstance.runJobs();
      expect(await count(id)).toEqual({ sent: 1 });
      expect(listOwnEmails()).toHaveLength(before + 1);
      expect((await repeat()).body['code']).toBe('messages.not_repeatable');
    },
  );

  it('delays the other messages by five minutes', async () => {
    const clients = await addClients(3);
    portal.faults.set({ operation: 'google.send_mail', kind: 'server_error', times: 1 });
    const id = await sendTo(practice, clients);
    await portal.runJobs();
    expect(await count(id)).toEqual({ unknown: 1, queued: 2 });
    minutesAhead = 4 * 60_000;
    await sweepMessages(laterInstance);
    expect(await count(id)).toEqual({ unknown: 1, queued: 2 });
    minutesAhead = 5 * 60_000 + 1_000;
    await sweepMessages(laterInstance);
    expect(await count(id)).toEqual({ unknown: 1, sent: 2 });
  });
});

describe('a response that says that the message was not sent', () => {
  it('(429) delays the message as long as the provider asks', async () => {
    const clients = await addClients(2);
    portal.faults.set({ operation: 'google.send_mail', kind: 'too_many_later', times: 1 });
    const id = await sendTo(practice, clients);
    await portal.runJobs();
    expect(await count(id)).toEqual({ queued: 2 });
    minutesAhead = 60_000;
    await sweepMessages(laterInstance);
    expect(await count(id)).toEqual({ sent: 2 });
    expect(listOwnEmails()).toHaveLength(2);
  });

  it('(403) fails the message with the provider’s reason, and the others are sent', async () => {
    const clients = await addClients(2);
    portal.faults.set({ operation: 'google.send_mail', kind: 'forbidden', times: 1 });
    const message_id = await sendTo(practice, clients);
    await portal.runJobs();
    const { body } = await practice.admin.get('/open-tax/messages/details', { company_id: practice.companyId, message_id });
    expect(body['recipients']).toMatchObject([
      { status: 'failed', reason: 'Forbidden' },
      { status: 'sent', sent_from: email },
    ]);
  });
});

it('the per-minute limit is kept, even after a restart', async () => {
  const id = await sendTo(practice, await addClients(62));
  await portal.runJobs();
  expect(await count(id)).toEqual({ sent: 60, queued: 2 });
  await sweepMessages(await portal.openInstance());
  expect(await count(id)).toEqual({ sent: 60, queued: 2 });
  minutesAhead = 61_000;
  await sweepMessages(laterInstance);
  expect(await count(id)).toEqual({ sent: 62 });
});

/** Ends the process: the job does nothing further, and nothing more is stored. */
class ProcessEnded extends Error {}

/** Ends the process in about half of the calls, at random: before the message is sent, or after the provider has accepted it. */
function killRandomly(deps: AppDeps): { readonly mailboxes: AppDeps['mailboxes']; readonly countKills: () => number } {
  const { gmail } = deps.mailboxes;
  if (!gmail) throw new Error('the portal has no Gmail');
  let kills = 0;
  const send: typeof gmail.sender.send = async (token, message) => {
    const outcome = randomInt(4);
    if (outcome === 0) kills += 1;
    if (outcome === 0) throw new ProcessEnded('before the call');
    await gmail.sender.send(token, message);
    if (outcome === 1) kills += 1;
    if (outcome === 1) throw new ProcessEnded('after the call');
  };
  return { mailboxes: { ...deps.mailboxes, gmail: { ...gmail, sender: { send } } }, countKills: () => kills };
}

describe('50 kills', () => {
  it('send no message twice, lose none, and leave unknown outcomes to a person', async () => {
    const message = await sendTo(practice, await addClients(160));
    const { mailboxes, countKills } = killRandomly(portal.deps);
    const dyingInstance = await portal.openInstance({ mailboxes, wallClock });
    while (countKills() < 50 && (await count(message))['queued'] !== undefined) {
      await sweepMessages(dyingInstance);
      // Continue after the wait that follows an unknown outcome.
      minutesAhead += 5 * 60_000 + 1_000;
    }
    await dyingInstance.close();
    expect(countKills()).toBe(50);
    while ((await count(message))['queued'] !== undefined) {
      await sweepMessages(laterInstance);
      minutesAhead += 61_000;
    }
    const outcomes = Object.entries(await listOutcomes(practice, message));
    expect(outcomes).toHaveLength(160);
    const sentSubjects = listOwnEmails().map(({ subject }) => subject);
    expect(new Set(sentSubjects).size).toBe(sentSubjects.length);
    const listWithStatus = (status: string) =>
      outcomes.filter(([, recordedOutcome]) => recordedOutcome === status).map(([name]) => `About ${name}`);
    expect(listWithStatus('unknown')).toHaveLength(50);
    expect(listWithStatus('sent')).toHaveLength(110);
    expect(sentSubjects).toEqual(expect.arrayContaining(listWithStatus('sent')));
  });
});
