/** Reads a document from a URL that an attacker may have chosen. */
import type { LookupAddress } from 'node:dns';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAppDocuments } from './app-documents.ts';

let server: Server;
let origin = '';
let received: string[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    const path = request.url ?? '';
    received.push(path);
    const document: Record<string, unknown> = {
      client_id: `${origin}${path}`,
      client_name: 'Desk',
      redirect_uris: ['http://localhost/callback'],
    };
    if (path === '/redirect') return response.writeHead(302, { location: '/program' }).end();
    if (path === '/html') return response.setHeader('content-type', 'text/html').end(JSON.stringify(document));
    response.setHeader('content-type', 'application/json');
    if (path === '/long') return response.end(JSON.stringify({ ...document, padding: 'x'.repeat(30_000) }));
    if (path === '/another') document['client_id'] = 'https://claude.ai/program';
    if (path === '/secret') document['token_endpoint_auth_method'] = 'client_secret_post';
    if (path === '/nowhere') document['redirect_uris'] = [];
    if (path === '/broken') return response.end('{');
    return response.end(JSON.stringify(document));
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

describe('the metadata document of an app', () => {
  const documents = createAppDocuments({ allowsPrivateAddresses: true });

  it('is read if it names itself', async () => {
    expect(await documents.read(`${origin}/program`)).toEqual({ name: 'Desk', redirectUris: ['http://localhost/callback'] });
  });

  it.each([
    '/another',
    '/secret',
    '/nowhere',
    '/broken',
    '/redirect',
    '/html',
    '/long',
    '/',
    '/program?a=1',
    '/program#a',
    '/a/../program',
  ])('isn’t accepted at %s', async (path) => {
    expect(await documents.read(`${origin}${path}`)).toBeUndefined();
  });

  it('is never requested from our own network, by IP address or by name', async () => {
    const lookUp = (_name: string, done: (error: null, addresses: readonly LookupAddress[]) => void) =>
      done(null, [{ address: '127.0.0.1', family: 4 }]);
    const guardedDocuments = createAppDocuments({ allowsPrivateAddresses: false, lookUp });
    received = [];
    const { port } = new URL(origin);
    for (const address of [`${origin}/program`, `https://127.0.0.1:${port}/program`, `https://inside.example:${port}/program`])
      expect(await guardedDocuments.read(address)).toBeUndefined();
    expect(received).toEqual([]);
  });
});
