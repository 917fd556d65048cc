/** Tests webhooks from the event to a receiver, over real HTTP. */
import { webhookDeliveries, webhookEndpoints } from '@portal/db/schema/schema.ts';
import { and, eq, sql } from '@portal/db/sql.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { RECEIVE_WITH_TYPESCRIPT } from '@portal/contract/developer-examples.ts';
import { createWebhookSender } from '@portal/providers/webhooks/webhook-sender.ts';
import { spawn, type ChildProcess } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { addPractice, type TestPractice } from '../../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { recordAudit } from '../audit/record-audit.ts';

type ReceivedRequest = { readonly headers: IncomingHttpHeaders; readonly body: string };

let portal: TestPortal;
let practice: TestPractice;
let server: Server;
let url: string;
let status = 204;
let receivedWebhooks: ReceivedRequest[] = [];

beforeAll(async () => {
  portal = await openTestPortal();
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      receivedWebhooks.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(status).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
});
afterAll(async () => {
  server.close();
  await portal.close();
});
beforeEach(async () => {
  practice = await addPractice(portal);
  receivedWebhooks = [];
  status = 204;
});

const post = (path: string, body: object = {}, browser = practice.admin) =>
  browser.post(`/open-tax/webhooks${path}`, { company_id: practice.companyId, ...body });

async function addEndpoint(events = ['team.member_joined']): Promise<{ id: string; secret: string }> {
  const createdResponse = await post('', { url, events });
  expect(createdResponse.status).toBe(200);
  return { id: String(createdResponse.body['endpoint_id']), secret: String(createdResponse.body['secret']) };
}

/** When a colleague joins, the audit entry is the event. */
const recordJoinedMember = (subject = 'somebody', companyId = practice.companyId, fails = false) =>
  portal.deps.database.db.transaction(async (tx) => {
    await recordAudit(tx, { companyId, at: portal.deps.clock.now(), actor: 'test', action: 'team.joined', subject });
    if (fails) throw new Error('rolled back');
  });

const listDeliveries = async (endpointId: string) => {
  const response = await practice.admin.get('/open-tax/webhooks/deliveries', { company_id: practice.companyId, endpoint_id: endpointId });
  return response.body['deliveries'] as { delivery_id: string; status: string; attempts: number; failure: string | null }[];
};

/** Makes waiting deliveries due immediately. */
const skipRetryWait = (endpointId: string) =>
  portal.deps.database.db
    .update(webhookDeliveries)
    .set({ nextAttemptAt: portal.deps.wallClock.now() })
    .where(and(eq(webhookDeliveries.endpointId, endpointId), eq(webhookDeliveries.status, 'pending')));

async function sendDueWebhooks(): Promise<void> {
  await portal.deps.database.db.transaction((tx) =>
    portal.deps.enqueue(tx, 'webhooks.send', { company_id: practice.companyId }, { singletonKey: `webhooks.send:${practice.companyId}` }),
  );
  await portal.runJobs();
}

const sign = (secret: string, { headers, body }: ReceivedRequest) =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(`${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`)
    .digest('base64')}`;

describe('an event', () => {
  it('is sent once, signed, to its own practice’s subscribed endpoints, if and only if it is committed', async () => {
    const { id, secret } = await addEndpoint();
    await addEndpoint(['clients.imported']);
    const otherPractice = await addPractice(portal);
    await recordJoinedMember('somebody', otherPractice.companyId);
    await expect(recordJoinedMember('nobody', practice.companyId, true)).rejects.toThrow('rolled back');
    await recordJoinedMember();
    await sendDueWebhooks();
    await sendDueWebhooks();
    expect(receivedWebhooks.length).toBe(1);
    const [firstDelivery] = receivedWebhooks;
    if (!firstDelivery) throw new Error('nothing arrived');
    expect(JSON.parse(firstDelivery.body)).toMatchObject({
      type: 'team.member_joined',
      data: { company_id: practice.companyId, user_id: 'somebody' },
    });
    expect(firstDelivery.headers['webhook-signature']).toBe(sign(secret, firstDelivery));
    expect(await listDeliveries(id)).toMatchObject([{ status: 'delivered', attempts: 1, failure: null }]);
  });

  it('is repeated with the same ID until it is received, with increasing delays, and can be replayed', async () => {
    const { id } = await addEndpoint();
    status = 500;
    await recordJoinedMember();
    await sendDueWebhooks();
    const [waitingDelivery] = await listDeliveries(id);
    expect(waitingDelivery).toMatchObject({ status: 'pending', attempts: 1, failure: 'It responded with status 500.' });
    await skipRetryWait(id);
    status = 200;
    await sendDueWebhooks();
    await post('/replay', { endpoint_id: id, delivery_id: waitingDelivery?.delivery_id });
    await portal.runJobs();
    expect(receivedWebhooks.length).toBe(3);
    expect(new Set(receivedWebhooks.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(await listDeliveries(id)).toMatchObject([{ status: 'delivered', failure: null }]);
  });

  it('is not lost with the process that was sending it', async () => {
    const { id } = await addEndpoint();
    await recordJoinedMember();
    // As if the process had died mid-delivery: the attempt is counted, but its result isn't stored.
    await portal.deps.database.db
      .update(webhookDeliveries)
      .set({ attempts: 1, lastAttemptAt: portal.deps.wallClock.now() })
      .where(eq(webhookDeliveries.endpointId, id));
    await sendDueWebhooks();
    expect(await listDeliveries(id)).toMatchObject([{ status: 'delivered', attempts: 2 }]);
  });
});

describe('a webhook endpoint', () => {
  it('has a secret that is shown once and encrypted, and during a rotation both sign', async () => {
    const { id, secret } = await addEndpoint();
    const { rows } = await portal.deps.database.db.execute(sql`select * from ${webhookEndpoints} where id = ${id}::uuid`);
    expect(JSON.stringify(rows)).not.toContain(secret.slice(6));
    const rotatedSecret = String((await post('/rotate', { endpoint_id: id })).body['secret']);
    expect((await post('/test', { endpoint_id: id })).status).toBe(200);
    await portal.runJobs();
    const [firstDelivery] = receivedWebhooks;
    if (!firstDelivery) throw new Error('nothing arrived');
    expect(firstDelivery.headers['webhook-signature']).toBe(`${sign(rotatedSecret, firstDelivery)} ${sign(secret, firstDelivery)}`);
    await portal.deps.database.db
      .update(webhookEndpoints)
      .set({ formerUntil: portal.deps.wallClock.now() })
      .where(eq(webhookEndpoints.id, id));
    await post('/test', { endpoint_id: id });
    await portal.runJobs();
    const [, second] = receivedWebhooks;
    if (!second) throw new Error('nothing arrived');
    expect(second.headers['webhook-signature']).toBe(sign(rotatedSecret, second));
  });

  it('is switched off after days of failure, with an email, and works again when an admin switches it on', async () => {
    const { id } = await addEndpoint();
    status = 503;
    await recordJoinedMember();
    await sendDueWebhooks();
    await portal.deps.database.db
      .update(webhookEndpoints)
      .set({ failingSince: addMilliseconds(portal.deps.wallClock.now(), -3 * 86_400_000) })
      .where(eq(webhookEndpoints.id, id));
    await skipRetryWait(id);
    await sendDueWebhooks();
    const listedResponse = await practice.admin.get('/open-tax/webhooks', { company_id: practice.companyId });
    expect(listedResponse.body['endpoints']).toMatchObject([{ disabled: 'failing' }]);
    expect(portal.sentEmails.at(-1)?.subject).toContain('stopped sending webhooks to 127.0.0.1');
    expect((await post('/test', { endpoint_id: id })).status).toBe(400);
    await recordJoinedMember();
    expect((await listDeliveries(id)).length).toBe(1);
    await post('/change', { endpoint_id: id, url, events: ['team.member_joined'], is_on: true });
    status = 204;
    await recordJoinedMember();
    await sendDueWebhooks();
    expect((await listDeliveries(id))[0]).toMatchObject({ status: 'delivered' });
  });

  it('is switched off at once if it returns 410', async () => {
    const { id } = await addEndpoint();
    status = 410;
    await recordJoinedMember();
    await sendDueWebhooks();
    const listedResponse = await practice.admin.get('/open-tax/webhooks', { company_id: practice.companyId });
    expect(listedResponse.body['endpoints']).toMatchObject([{ endpoint_id: id, disabled: 'gone' }]);
  });

  it('must be on the public internet outside the sandbox, even if it was allowed before', async () => {
    const { id } = await addEndpoint();
    await recordJoinedMember();
    const webhooks = createWebhookSender({ allowsPrivateAddresses: false });
    const instance = await portal.openInstance({ webhooks });
    const refusedResponse = await instance.app.inject({
      method: 'POST',
      url: '/portal/open-tax/webhooks',
      payload: { company_id: practice.companyId, url: 'https://[::ffff:169.254.169.254]/latest', events: ['clients.imported'] },
      headers: { cookie: practice.cookies.admin },
    });
    expect([refusedResponse.statusCode, refusedResponse.json<{ message: unknown }>().message]).toEqual([
      400,
      { url: 'The URL isn’t on the public internet.' },
    ]);
    await portal.deps.database.db.transaction((tx) => instance.deps.enqueue(tx, 'webhooks.send', { company_id: practice.companyId }));
    await instance.runJobs();
    expect(receivedWebhooks).toEqual([]);
    expect(await listDeliveries(id)).toMatchObject([{ status: 'pending', attempts: 1 }]);
    await instance.close();
  });

  it('belongs to its practice’s admins: others get a 404, and so does another practice’s id', async () => {
    const { id } = await addEndpoint();
    const otherPractice = await addPractice(portal);
    expect((await post('', { url, events: ['clients.imported'] }, practice.member)).status).toBe(404);
    for (const path of ['/rotate', '/remove', '/test']) {
      const response = await otherPractice.admin.post(`/open-tax/webhooks${path}`, {
        company_id: otherPractice.companyId,
        endpoint_id: id,
      });
      expect([path, response.status]).toEqual([path, 404]);
    }
  });
});

it('the receiver on the developers’ page accepts a real test and rejects a forged one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'portal-receiver-'));
  let receiver: ChildProcess | undefined;
  try {
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await writeFile(join(folder, 'receiver.ts'), RECEIVE_WITH_TYPESCRIPT);
    const port = (server.address() as AddressInfo).port === 8787 ? 8788 : 8787 + (process.pid % 1000);
    const createdResponse = await post('', { url: `http://127.0.0.1:${port}/`, events: ['clients.imported'] });
    const env = { ...process.env, PORT: String(port), WEBHOOK_SECRET: String(createdResponse.body['secret']) };
    receiver = spawn(process.execPath, ['receiver.ts'], { cwd: folder, env });
    let output = '';
    receiver.stdout?.on('data', (chunk) => (output += String(chunk)));
    await vi.waitFor(() => expect(output).toContain('listening'), { timeout: 60_000 });
    await post('/test', { endpoint_id: createdResponse.body['endpoint_id'] });
    await portal.runJobs();
    await vi.waitFor(() => expect(output).toContain('"type":"webhook.test"'), { timeout: 60_000 });
    const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': String(Math.floor(Date.now() / 1000)), 'webhook-signature': 'v1,AAAA' };
    const forgedResponse = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}', headers });
    expect(forgedResponse.status).toBe(401);
  } finally {
    receiver?.kill();
    await rm(folder, { recursive: true, force: true });
  }
});
