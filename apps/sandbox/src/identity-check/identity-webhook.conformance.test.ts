/** Tests identity-check webhooks over real HTTP: delivery, repetition, signature and rejection. */
import { createClock } from '@portal/domain/clock.ts';
import { describe, expect, it } from 'vitest';
import { createIdentityCheckClient } from '@portal/providers/identity-check/identity-check-client.ts';
import { readSignedBody, signIdentityWebhook } from '@portal/providers/identity-check/identity-webhook.ts';
import { waitFor } from '../testing/wait-for.ts';
import { order, startIdentityCheck, type ReceivedWebhook } from './testing/start-identity-check.ts';

const rejection = { kind: 'unauthenticated', code: 'identity.webhook_not_signed' };

async function decideCheck() {
  const startedSimulator = await startIdentityCheck();
  const { checkId, url } = await startedSimulator.client.startCheck(order);
  await startedSimulator.press(url, 'fine');
  const webhook = await waitFor(() => startedSimulator.received[0]);
  return { ...startedSimulator, checkId, webhook };
}

describe('a webhook', () => {
  it('reports the decision', async () => {
    const { client, webhook, checkId, running } = await decideCheck();
    expect(client.verifyWebhook(webhook)).toEqual({
      eventId: expect.any(String),
      createdAt: '2026-11-18T10:00:00.000Z',
      result: await client.findCheck(checkId),
    });
    await waitFor(() => running.simulator.controls.listWebhooks()[0]?.delivered_at);
    expect(running.simulator.controls.listWebhooks()).toMatchObject([{ type: 'check.completed', check_id: checkId, attempts: 1 }]);
  });

  it('can be read from bytes and from text', async () => {
    const { client, webhook } = await decideCheck();
    const bytes = new TextEncoder().encode(webhook.rawBody);
    expect(client.verifyWebhook({ headers: { 'Identity-Signature': webhook.headers['identity-signature'] }, rawBody: bytes })).toEqual(
      client.verifyWebhook(webhook),
    );
    expect(() => client.verifyWebhook({ ...webhook, rawBody: new Uint8Array([0xff]) })).toThrow(expect.objectContaining(rejection));
  });

  it('is sent when the seven days are over, without any request', async () => {
    const { client, received, passMinutes } = await startIdentityCheck();
    const { checkId } = await client.startCheck(order);
    passMinutes(7 * 24 * 60);
    const webhook = await waitFor(() => received[0]);
    expect(JSON.parse(webhook.rawBody)).toMatchObject({ type: 'check.expired' });
    expect(client.verifyWebhook(webhook)).toMatchObject({ result: { checkId, status: 'expired' } });
  });

  it('is sent again when a review is settled', async () => {
    const { client, received, press, running } = await startIdentityCheck();
    const { checkId, url } = await client.startCheck(order);
    await press(url, 'doubtful');
    await waitFor(() => received.length === 1);
    running.simulator.controls.settleReview(checkId, 'failed');
    await waitFor(() => received.length === 2);
    const statuses = received.map((webhook) => client.verifyWebhook(webhook).result.status);
    expect(statuses).toEqual(['needs_review', 'failed']);
  });

  it('is not sent for a blurred photo that can be tried again', async () => {
    const { client, press, running } = await startIdentityCheck();
    await press((await client.startCheck(order)).url, 'blurred');
    expect(running.simulator.controls.listWebhooks()).toEqual([]);
  });

  it('is repeated until acknowledged, as the same event with a new signature, even after a restart of the simulator', async () => {
    const { client, received, portal, press, running, passMinutes, restart } = await startIdentityCheck();
    portal.status = 503;
    await press((await client.startCheck(order)).url, 'fine');
    await waitFor(() => received.length >= 2);
    await restart();
    passMinutes(60);
    const before = received.length;
    await waitFor(() => received.length > before);
    portal.status = 204;
    await waitFor(() => running.simulator.controls.listWebhooks()[0]?.delivered_at);
    expect(new Set(received.map(({ rawBody }) => rawBody)).size).toBe(1);
    expect(client.verifyWebhook(received.at(-1) as ReceivedWebhook)).toMatchObject({ result: { status: 'passed' } });
    expect(() => client.verifyWebhook(received[0] as ReceivedWebhook)).toThrow(expect.objectContaining(rejection));
  });
});

describe('a webhook is rejected', () => {
  it('when its body was changed', async () => {
    const { client, webhook } = await decideCheck();
    const forgedWebhook = { ...webhook, rawBody: webhook.rawBody.replace('"passed"', '"failed"') };
    expect(() => client.verifyWebhook(forgedWebhook)).toThrow(expect.objectContaining(rejection));
  });

  it('when its time was changed', async () => {
    const { client, webhook } = await decideCheck();
    const signature = webhook.headers['identity-signature']?.replace(/^t=\d+/, `t=${Date.parse('2026-11-18T10:00:01Z') / 1000}`);
    expect(() => client.verifyWebhook({ ...webhook, headers: { 'identity-signature': signature } })).toThrow(
      expect.objectContaining(rejection),
    );
  });

  it('more than five minutes before or after its time', async () => {
    const { client, webhook, passMinutes } = await decideCheck();
    passMinutes(5);
    expect(client.verifyWebhook(webhook)).toMatchObject({ result: { status: 'passed' } });
    passMinutes(1 / 60);
    expect(() => client.verifyWebhook(webhook)).toThrow(expect.objectContaining(rejection));
    passMinutes(-(10 + 2 / 60));
    expect(() => client.verifyWebhook(webhook)).toThrow(expect.objectContaining(rejection));
  });

  it('without a signature or with an unreadable one', async () => {
    const { client, webhook } = await decideCheck();
    const invalidSignatures = [
      undefined,
      '',
      't=1',
      'v1=00',
      't=x,v1=00',
      `t=1,v1=${'0'.repeat(63)}`,
      [String(webhook.headers['identity-signature'])],
    ];
    for (const signature of invalidSignatures) {
      expect(() => client.verifyWebhook({ ...webhook, headers: { 'identity-signature': signature } })).toThrow(
        expect.objectContaining(rejection),
      );
    }
  });

  it('with another secret, and accepted with an older one that is still configured', async () => {
    const { settings, webhook } = await decideCheck();
    const otherClient = createIdentityCheckClient({ ...settings, webhookSecrets: ['new-secret'] });
    expect(() => otherClient.verifyWebhook(webhook)).toThrow(expect.objectContaining(rejection));
    const clientWithBothSecrets = createIdentityCheckClient({ ...settings, webhookSecrets: ['new-secret', ...settings.webhookSecrets] });
    expect(clientWithBothSecrets.verifyWebhook(webhook)).toMatchObject({ result: { status: 'passed' } });
  });

  it('without any configured secret', async () => {
    const { settings, webhook } = await decideCheck();
    const client = createIdentityCheckClient({ ...settings, webhookSecrets: [] });
    expect(() => client.verifyWebhook(webhook)).toThrow(expect.objectContaining(rejection));
  });

  it('as unreadable, not as forged, when the provider itself sends another shape', async () => {
    const { client, settings } = await startIdentityCheck();
    const body = '{"id":"x"}';
    const [secret = ''] = settings.webhookSecrets;
    const signature = signIdentityWebhook(secret, Date.parse('2026-11-18T10:00:00Z') / 1000, body);
    expect(() => client.verifyWebhook({ headers: { 'identity-signature': signature }, rawBody: body })).toThrow(
      expect.objectContaining({ failure: 'unavailable', facts: expect.objectContaining({ operation: 'webhook' }) }),
    );
  });
});

describe('the signature', () => {
  // printf '1763460000.{"id":"1"}' | openssl dgst -sha256 -hmac s3cret
  const signature = 't=1763460000,v1=bdb77f447ac803bb4660dbb3289c68c1f389c1a17e202ee9632366e86dfee170';

  it('equals openssl’s HMAC-SHA256', () => {
    expect(signIdentityWebhook('s3cret', 1_763_460_000, '{"id":"1"}')).toBe(signature);
  });

  it('is accepted as one of several', () => {
    const header = `${signature},v1=${'0'.repeat(64)}`;
    const clock = createClock(() => 1_763_460_000_000);
    expect(readSignedBody({ headers: { 'identity-signature': header }, rawBody: '{"id":"1"}' }, ['s3cret'], clock)).toBe('{"id":"1"}');
  });
});
