/** Sends to URLs that an attacker may have entered. */
import type { LookupAddress } from 'node:dns';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isPublicAddress } from '../http/public-address.ts';
import { signWebhook } from './sign-webhook.ts';
import { createWebhookSender } from './webhook-sender.ts';

const WEBHOOK_MESSAGE = { id: 'msg_1', timestampSeconds: 1_700_000_000, body: '{"type":"webhook.test"}' };

let server: Server;
let port: number;
let received: string[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    received.push(`${request.method} ${request.url}`);
    if (request.url === '/redirect') response.writeHead(302, { location: '/inside' });
    else response.writeHead(request.url === '/gone' ? 410 : 204);
    response.end();
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => void server.close());

describe('a public address', () => {
  it.each(['8.8.8.8', '151.101.1.69', '2606:4700:4700::1111', '2a00:1450:4009:81d::200e'])('is %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    '127.0.0.1',
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '169.254.169.254',
    '172.31.255.255',
    '192.168.1.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::ffff:a9fe:a9fe',
    '::127.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '2002:7f00:1::',
    '2001:0:7f00:1::',
    '2001:db8::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1%eth0',
    'ff02::1',
    'localhost',
    '',
  ])('isn’t %s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe('a webhook’s URL', () => {
  const { findAddressProblem } = createWebhookSender({ allowsPrivateAddresses: false });
  it.each([
    'http://example.com/hook',
    'https://user:secret@example.com/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://localhost/',
    'https://metadata/',
    'ftp://example.com/',
    'javascript:alert(1)',
    'example.com',
  ])('can’t be %s', (url) => {
    expect(findAddressProblem(url)).toEqual(expect.any(String));
  });

  it('is https with a name', () => {
    expect(findAddressProblem('https://hooks.example.com:8443/a?b=c')).toBeUndefined();
  });
});

describe('a delivery', () => {
  /** Simulates DNS rebinding: each lookup of the name returns the next list of addresses. */
  function sendWith(responses: readonly (readonly string[])[], allowsPrivateAddresses = false, url = 'https://rebind.example/') {
    const [lookUps, queue] = [[] as string[], [...responses]];
    const lookUp = (name: string, done: (error: null, found: readonly LookupAddress[]) => void) => {
      lookUps.push(name);
      done(
        null,
        (queue.shift() ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
    };
    const sender = createWebhookSender({ allowsPrivateAddresses, lookUp });
    return { looked: lookUps, send: () => sender.send(url, WEBHOOK_MESSAGE, ['whsec_AAAA']) };
  }

  it('never connects to a private address that a public name resolves to, whenever it does', async () => {
    received = [];
    const rebindingSender = sendWith([['127.0.0.1'], ['::ffff:127.0.0.1'], ['8.8.8.8', '127.0.0.1'], ['169.254.169.254'], []]);
    for (let attempt = 0; attempt < 5; attempt += 1) {
      expect(await rebindingSender.send()).toMatchObject({ status: null, failure: 'The URL isn’t on the public internet.' });
    }
    // There is one look-up per attempt: the address connected to is the one that was checked.
    expect(rebindingSender.looked.length).toBe(5);
    expect(received).toEqual([]);
  });

  it('connects to the address that was checked, not to one looked up afterwards', async () => {
    received = [];
    const { looked, send } = sendWith([['127.0.0.1']], true, `http://receiver.example:${port}/hook`);
    expect(await send()).toMatchObject({ status: 204, failure: undefined });
    expect([looked, received]).toEqual([['receiver.example'], ['POST /hook']]);
  });

  it('doesn’t follow a redirect', async () => {
    received = [];
    const { send } = sendWith([['127.0.0.1']], true, `http://receiver.example:${port}/redirect`);
    expect(await send()).toMatchObject({ status: 302, failure: expect.stringContaining('redirect') });
    expect(received).toEqual(['POST /redirect']);
  });

  it('describes why a connection failed in general terms', async () => {
    const { send } = sendWith([['127.0.0.1']], true, 'http://receiver.example:1/hook');
    expect((await send()).failure).toBe('The connection failed.');
  });
});

it('a signature is that of the specification’s own libraries', () => {
  const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestampSeconds: 1_614_265_330, body: '{"test": 2432232314}' };
  expect(signWebhook(message, ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'])).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
});
