/** Tests deploy/proxy/haproxy.cfg with HAProxy itself. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findProgram, installOnDebian } from '../testing/debian.ts';
import { prepareProxy, type TlsProxy } from './proxy.ts';

const hasHaproxy = findProgram(['haproxy', '/usr/sbin/haproxy']) !== undefined || (await installOnDebian('haproxy'));

describe.skipIf(!hasHaproxy)('the proxy', () => {
  let folder: string;
  let portal: Server;
  let proxy: TlsProxy;
  let forwarded: { path: string; address: unknown; port: unknown }[] = [];
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'portal-proxy-'));
    portal = createServer(({ url = '', headers }, response) => {
      forwarded.push({ path: url, address: headers['x-forwarded-for'], port: headers['x-forwarded-client-port'] });
      response.end('ok');
    });
    await new Promise<void>((done) => void portal.listen(0, '127.0.0.1', done));
    const { port } = portal.address() as AddressInfo;
    proxy = await prepareProxy(folder);
    await proxy.start([port, port]);
    while ((await get('/portal/login')) !== 200) await pause(50);
  });
  afterAll(async () => {
    await proxy.stop();
    portal.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const get = (path: string, headers: Record<string, string> = {}) =>
    new Promise<number>((resolve, reject) => {
      const options = { port: proxy.port, path, headers, ca: readFileSync(proxy.certificateFile), agent: false };
      request({ host: 'localhost', ...options }, (response) => resolve(response.resume().statusCode ?? 0))
        .on('error', reject)
        .end();
    });

  it('logs each request without the secrets and names in its address', async () => {
    const paths = [
      '/portal/v2/auth/link?token=SECRET-LINK',
      '/portal/hmrc/callback?code=SECRET-CODE&state=SECRET-STATE',
      '/portal/send-auth-magic-link?email=SECRET-NAME%40firm.example',
      '/portal/open-tax/calendar/SECRET-CALENDAR.ics',
      '/portal/Open-Tax/Calendar/SECRET-CALENDAR.ics?x=SECRET-QUERY',
    ];
    for (const path of paths) expect(await get(path)).toBe(200);
    await vi.waitFor(() => expect(proxy.readLog()).toContain('/portal/open-tax/calendar/-'));
    await vi.waitFor(() => expect(proxy.readLog()).toMatch(/^127\.0\.0\.1:\d+ .* 200 .* "GET \/portal\/v2\/auth\/link HTTP\/1\.1"$/m));
    expect(proxy.readLog()).not.toContain('SECRET');
  });

  it('replaces what a visitor says about their address, and hides the pages for monitoring', async () => {
    forwarded = [];
    await get('/portal/spoofed', { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-client-port': '1' });
    const request = forwarded.find(({ path }) => path === '/portal/spoofed');
    expect(request).toMatchObject({ address: '127.0.0.1' });
    expect(request?.port).not.toBe('1');
    for (const path of ['/portal/metrics', '/portal/Readyz', '/portal/%6detrics']) expect(await get(path)).toBe(404);
  });
});
