/** Tests emails in the job table: each is sent only as the job as which the portal queued it. */
import { sql } from '@portal/db/sql.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parkedJobHandlers } from '../job-handlers.ts';
import { UNBOUND_EMAIL } from '../secrets/token-cipher.ts';
import { openTestPortal, type TestPortal } from '../testing/open-test-portal.ts';
import { createOperator, type Browser } from '../testing/test-trader.ts';
import { composeEmail } from './compose-email.ts';
import { enqueueEmail } from './enqueue-email.ts';

let portal: TestPortal;
let olga: Browser;
beforeAll(async () => {
  portal = await openTestPortal();
  olga = await createOperator(portal, 'olga@operators.example');
});
afterAll(() => portal.close());
beforeEach(async () => {
  await portal.runJobs();
  portal.sentEmails.length = 0;
});

const ANN = 'ann@people.example';
const BEN = 'ben@people.example';
const CONTENT = { subject: 'Log in', preheader: '', heading: 'Log in', paragraphs: ['Use this link.'], reason: 'You asked for it.' };

type QueuedEmail = { id: string; sealed: string };

const listQueued = async (): Promise<QueuedEmail[]> => {
  const statement = sql`select id, data -> 'payload' ->> 'sealed' as sealed from pgboss.job
    where data ->> 'kind' = 'mail.send' and state = 'created' and name <> 'portal-failed' order by created_on`;
  return (await portal.deps.database.db.execute<QueuedEmail>(statement)).rows;
};
const enqueue = async (to: string): Promise<QueuedEmail> => {
  const formerIds = (await listQueued()).map(({ id }) => id);
  await portal.deps.database.db.transaction((tx) => enqueueEmail(portal.deps, tx, to, CONTENT));
  const email = (await listQueued()).find(({ id }) => !formerIds.includes(id));
  if (!email) throw new Error('nothing was queued');
  return email;
};
const setPayload = async (id: string, payload: object): Promise<void> => {
  const statement = sql`update pgboss.job set data = jsonb_set(data, '{payload}', ${JSON.stringify(payload)}::jsonb) where id = ${id}`;
  await portal.deps.database.db.execute(statement);
};
const listRecipients = () => portal.sentEmails.map(({ to }) => to).toSorted();
type FailedJob = { job_id: string; kind: string; error: string };
const listFailed = async () => (await olga.get('/operator/jobs')).body['jobs'] as FailedJob[];
const decideFailed = (decision: 'retry' | 'discard', jobId: string | undefined) =>
  olga.post(`/operator/jobs/${decision}`, { job_id: jobId, reason: 'Looked into it.' });

describe('a queued email', () => {
  it('isn’t sent as another job, whose own email it replaced', async () => {
    const [annsEmail, bensEmail] = [await enqueue(ANN), await enqueue(BEN)];
    await setPayload(bensEmail.id, { sealed: annsEmail.sealed });
    await portal.runJobs();
    expect(listRecipients()).toEqual([ANN]);
    const failedJobs = await listFailed();
    expect(failedJobs).toMatchObject([{ kind: 'mail.send', error: expect.stringContaining('mail.not_sealed') }]);
    expect((await decideFailed('discard', failedJobs[0]?.job_id)).status).toBe(200);
  });

  it('isn’t sent if someone wrote it in clear', async () => {
    const { id } = await enqueue(BEN);
    await setPayload(id, composeEmail(portal.deps.site, 'victim@people.example', CONTENT));
    await portal.runJobs();
    expect(portal.sentEmails).toEqual([]);
    const failedJobs = await listFailed();
    expect(failedJobs).toMatchObject([{ error: expect.stringContaining('mail.not_sealed') }]);
    expect((await decideFailed('discard', failedJobs[0]?.job_id)).status).toBe(200);
  });

  it('is sent if the previous version queued it', async () => {
    const { id } = await enqueue(ANN);
    const mail = composeEmail(portal.deps.site, BEN, CONTENT);
    const sealed = portal.deps.tokenCipher.seal(JSON.stringify(mail), UNBOUND_EMAIL);
    await setPayload(id, { sealed, invitation: 'a hash' });
    await portal.runJobs();
    expect(portal.sentEmails).toMatchObject([{ to: BEN, subject: CONTENT.subject }]);
  });

  it('that failed for good is sent when an operator retries it, also for the second time', async () => {
    await enqueue(ANN);
    const mailer = { ...portal.deps.mailer, send: () => Promise.reject(new Error('the mail server is down')) };
    const instance = await portal.openInstance({ mailer });
    await instance.runJobs();
    expect((await decideFailed('retry', (await listFailed())[0]?.job_id)).status).toBe(200);
    await instance.runJobs();
    await instance.close();
    const failedJobs = await listFailed();
    expect(failedJobs).toMatchObject([{ error: 'the mail server is down' }]);
    expect((await decideFailed('retry', failedJobs[0]?.job_id)).status).toBe(200);
    await portal.runJobs();
    expect(listRecipients()).toEqual([ANN]);
    expect(await listFailed()).toEqual([]);
  });

  it('can be opened when its job is parked', async () => {
    const { id, sealed } = await enqueue(ANN);
    await expect(parkedJobHandlers(portal.deps)['mail.send']?.({ sealed }, { id })).resolves.toBeUndefined();
    await portal.runJobs();
  });
});
