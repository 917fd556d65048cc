/** Tests traces and log lines of the portal in production: from its bundle, with a collector over HTTP. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getTestServerUrl } from '@portal/db/testing/test-postgres.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createPortalDatabase } from '../testing/create-portal-database.ts';
import { startCollector, type Collector, type ReceivedSpan } from '../testing/start-collector.ts';
import { findFreePorts, startPortalProcess, type PortalProcess } from '../testing/start-portal-process.ts';

const PRIVATE_EMAIL = 'very.private@person.example';
/** Of OTLP. */
const KIND = { server: 2, client: 3, consumer: 5 };

let folder: string;
let collector: Collector;
let portal: PortalProcess;
let drop: (() => Promise<void>) | undefined;
let requestId: string;
let failedRequestId: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'portal-tracing-'));
  collector = await startCollector();
  const database = getTestServerUrl() ? await createPortalDatabase() : undefined;
  drop = database?.drop;
  portal = startPortalProcess(folder, await findFreePorts(), {
    ...(database ? { DATABASE_URL: database.url } : {}),
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=collector-key',
    OTEL_SERVICE_NAME: 'portal-under-test',
    LOG_LEVEL: 'warn',
  });
  await portal.waitUntilReady();
  const mailedResponse = await send('/v2/sign-up', { email: PRIVATE_EMAIL, full_name: 'Very Private' });
  requestId = mailedResponse.headers.get('x-request-id') ?? '';
  const wrongResponse = await send('/v2/login', { email: PRIVATE_EMAIL, password: 'not the one' });
  failedRequestId = ((await wrongResponse.json()) as { request_id: string }).request_id;
  await fetch(`${portal.url}/portal/google_signup`, { redirect: 'manual' });
  await vi.waitFor(() => find(({ name }) => name === 'process mail.send'), { timeout: 60_000, interval: 100 });
  // The last spans are sent when the portal stops.
  portal.process.kill('SIGTERM');
  await portal.ended;
}, 120_000);

afterAll(async () => {
  portal.process.kill('SIGKILL');
  collector.close();
  await drop?.();
  rmSync(folder, { recursive: true, force: true });
});

const send = (path: string, body: object): Promise<Response> =>
  fetch(`${portal.url}/portal${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

const find = (isWanted: (span: ReceivedSpan) => boolean): ReceivedSpan => {
  const span = collector.spans.find(isWanted);
  if (!span) throw new Error(`no such span among ${collector.spans.map(({ name }) => name).join(', ')}`);
  return span;
};
const findChildren = ({ spanId }: ReceivedSpan): ReceivedSpan[] => collector.spans.filter(({ parentId }) => parentId === spanId);

describe('a trace', () => {
  it('shows a request with its route, status and statements', () => {
    const request = find(({ attributes }) => attributes['portal.request_id'] === requestId && attributes['http.route'] !== undefined);
    expect(request).toMatchObject({
      name: 'POST /portal/v2/sign-up',
      kind: KIND.server,
      parentId: '',
      service: 'portal-under-test',
      attributes: { 'http.request.method': 'POST', 'http.route': '/portal/v2/sign-up', 'http.response.status_code': 200 },
    });
    const statements = findChildren(request);
    expect(statements.map(({ name }) => name)).toContain('insert login_links');
    const insert = statements.find(({ name }) => name === 'insert login_links');
    expect(insert).toMatchObject({ kind: KIND.client, attributes: { 'db.system.name': 'postgresql', 'db.operation.name': 'insert' } });
    expect(insert?.attributes['db.query.text']).toMatch(/^insert into "login_links" .*\$1/);
  });

  it('shows a job with its statements, and the request that enqueued it', () => {
    const request = find(({ attributes }) => attributes['portal.request_id'] === requestId && attributes['http.route'] !== undefined);
    const job = find(({ name, attributes }) => name === 'process mail.send' && attributes['portal.request_id'] === requestId);
    expect(job).toMatchObject({ kind: KIND.consumer, links: [request.traceId], attributes: { 'messaging.system': 'pg-boss' } });
    expect(job.traceId).not.toBe(request.traceId);
  });

  it('shows a call to a provider within its request', () => {
    const call = find(({ name }) => name === 'GET google');
    const request = find(({ spanId }) => spanId === call.parentId);
    expect(request.attributes['http.route']).toBe('/portal/google_signup');
    expect(call).toMatchObject({ kind: KIND.client, attributes: { 'server.address': 'localhost', 'http.response.status_code': 200 } });
  });

  it('holds no personal data and no polling, and is sent with the headers of the settings', () => {
    for (const secret of [PRIVATE_EMAIL, 'Very Private', 'not the one']) expect(collector.text()).not.toContain(secret);
    const roots = collector.spans.filter(({ parentId }) => parentId === '');
    expect(roots.filter(({ attributes }) => attributes['db.system.name'] !== undefined)).toEqual([]);
    expect(collector.headers()['x-api-key']).toBe('collector-key');
  });
});

describe('the log', () => {
  it('names the request and the security event of a failed sign-in, but neither address nor email', () => {
    const lines = portal
      .stderr()
      .split('\n')
      .filter((line) => line.includes('security_event'));
    const event = lines.map((line) => JSON.parse(line) as Record<string, unknown>).find((line) => line['request_id'] === failedRequestId);
    expect(event).toMatchObject({
      security_event: 'sign_in_failed',
      reason: 'identity.wrong_credentials',
      trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      network: expect.stringMatching(/^[\w-]{16}$/),
    });
    expect(portal.stderr()).not.toContain(PRIVATE_EMAIL);
    expect(lines.join('\n')).not.toContain('127.0.0.1');
  });
});
