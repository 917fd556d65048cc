import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { systemClock } from '@portal/domain/clock.ts';
import { describe, expect, it } from 'vitest';
import { createGoogleSignIn } from '../google/google-client.ts';

describe('sign-in with a provider', () => {
  it('is unavailable, not unknown, when a gateway responds with a page before anything was requested', async () => {
    const server = createServer((_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sorry</h1>'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const addresses = { browserUrl: url, serverUrl: url, redirectUri: 'http://localhost/callback' };
    const signIn = createGoogleSignIn({ ...addresses, clientId: 'id', clientSecret: 'secret', fetch, clock: systemClock });
    await expect(signIn.authorizeUrl({ state: 'state', nonce: 'nonce' })).rejects.toMatchObject({
      failure: 'unavailable',
      facts: { operation: 'google.discovery', detail: 'unreadable response' },
    });
    server.close();
  });
});
