/** A key that signs webhooks like the bank's own, published where the portals look for keys. */
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

export type WebhookKeys = { readonly url: string; sign(path: string, body: string): Record<string, string>; close(): Promise<void> };

const base64url = (text: string): string => Buffer.from(text).toString('base64url');

export async function openWebhookKeys(): Promise<WebhookKeys> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-521' });
  const kid = randomUUID();
  const keySet = JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid, alg: 'ES512', use: 'sig' }] });
  const server = createServer((_request, response) => response.setHeader('content-type', 'application/json').end(keySet));
  server.listen(0, 'localhost');
  await once(server, 'listening');
  // A run that can't start must not wait for the server.
  server.unref();
  const url = `http://localhost:${(server.address() as AddressInfo).port}/jwks`;
  return {
    url,
    // Signs according to TrueLayer's specification, as implemented in apps/sandbox/src/truelayer/webhook-signature.ts.
    sign: (path, body) => {
      const timestamp = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
      const header = base64url(
        JSON.stringify({ alg: 'ES512', kid, tl_version: '2', tl_headers: 'X-Tl-Webhook-Timestamp,Content-Type', jku: url }),
      );
      const payload = base64url(`POST ${path}\nX-Tl-Webhook-Timestamp: ${timestamp}\nContent-Type: application/json\n${body}`);
      const signature = sign('sha512', Buffer.from(`${header}.${payload}`), { key: privateKey, dsaEncoding: 'ieee-p1363' });
      return { 'x-tl-webhook-timestamp': timestamp, 'tl-signature': `${header}..${signature.toString('base64url')}` };
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
