// docs/product/specification.md sections 8 (errors) and 7 (requests).
import { endpoint } from '@portal/contract/endpoint.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod/mini';
import { createHttpTransport } from './http-transport.ts';
import type { ApiError } from './problem-to-error.ts';

const read = endpoint({ method: 'GET', path: '/things', access: 'signed_in', summary: '', input: z.object({}), output: z.unknown() });
const write = endpoint({ method: 'POST', path: '/things', access: 'signed_in', summary: '', input: z.object({}), output: z.unknown() });
const login = endpoint({ method: 'POST', path: '/v2/login', access: 'public', summary: '', input: z.object({}), output: z.unknown() });
const filing = endpoint({ ...write, callsHmrc: true, needsIdempotencyKey: true });

type FakeResponse = { status: number; body?: string; type?: ResponseType; url?: string };

function createTestTransport(fakeResponse: FakeResponse | Error) {
  const requests: { url: string; init: RequestInit }[] = [];
  const visitedUrls: string[] = [];
  const send = createHttpTransport({
    fetch: (url, init) => {
      requests.push({ url: url as string, init: init ?? {} });
      if (fakeResponse instanceof Error) return Promise.reject(fakeResponse);
      const response = {
        status: fakeResponse.status,
        ok: fakeResponse.status < 400,
        type: fakeResponse.type ?? 'basic',
        url: fakeResponse.url ?? '',
        text: async () => fakeResponse.body ?? '',
      };
      return Promise.resolve(response as Response);
    },
    goTo: (url) => visitedUrls.push(url),
  });
  return { send, requests, gone: visitedUrls };
}

const getRejection = (sentRequest: Promise<unknown>): Promise<ApiError> =>
  sentRequest.then(
    () => expect.unreachable('the call should have failed'),
    (error: unknown) => error as ApiError,
  );

afterEach(() => localStorage.clear());

describe('the message of a failed request', () => {
  it.each([
    ['the message member', '{"message":"The return is filed already","error":"other"}', 'The return is filed already'],
    ['the error member without a message', '{"error":"No such thing"}', 'No such thing'],
    ['the error member where the message is empty', '{"message":"","error":"No such thing"}', 'No such thing'],
    ['the fixed text without either', '{}', 'Sorry, that didn’t work. Try again.'],
    ['the fixed text if the body isn’t JSON', '<html>502</html>', 'Sorry, that didn’t work. Try again.'],
    ['the first pair of an object', '{"message":{"vrn":"is not registered","name":"is long"}}', 'vrn: is not registered'],
  ])('is %s', async (_name, body, message) => {
    const error = await getRejection(createTestTransport({ status: 422, body }).send(read, {}, {}));
    expect(error.message).toBe(message);
    expect(error.status).toBe(422);
  });

  it('comes with the code, request id, details and field errors', async () => {
    const body = '{"message":"Enter a date","code":"input.invalid","request_id":"r1","details":{"field":"on"}}';
    const error = await getRejection(createTestTransport({ status: 400, body }).send(write, {}, {}));
    expect(error).toMatchObject({
      code: 'input.invalid',
      requestId: 'r1',
      field: 'on',
      fieldErrors: { on: 'Enter a date' },
      details: { field: 'on' },
    });
  });

  it.each([204, 202, 302, 500])('status %i is an error: only 200 and 201 are successes', async (status) => {
    expect((await getRejection(createTestTransport({ status }).send(read, {}, {}))).status).toBe(status);
  });

  it('for a write with a lost response says that the outcome is unknown', async () => {
    const error = await getRejection(createTestTransport(new TypeError('Failed to fetch')).send(write, {}, {}));
    expect(error).toMatchObject({ status: 0, code: 'network.unreachable' });
    expect(error.message).toContain('we don’t know whether this went through');
  });
});

describe('an expired session', () => {
  it.each<[string, FakeResponse]>([
    ['a 401', { status: 401, body: '{"message":"Log in"}' }],
    ['an opaque redirect', { status: 0, type: 'opaqueredirect' }],
    ['a final URL with the login marker', { status: 200, url: 'http://localhost/portal/login?next=/home' }],
  ])('is detected by %s, and the browser opens the login page', async (_name, fakeResponse) => {
    const { send, gone: visitedUrls } = createTestTransport(fakeResponse);
    history.replaceState(null, '', '/portal/company?company_id=c1');
    expect((await getRejection(send(read, {}, {}))).message).toBe('Unauthorized');
    expect(visitedUrls).toEqual(['/portal/login']);
    expect(localStorage.getItem('post-login-redirect')).toBe('/portal/company?company_id=c1');
  });

  it('does not leave the page if the caller asks for that', async () => {
    const { send, gone: visitedUrls } = createTestTransport({ status: 401 });
    await getRejection(send(read, {}, { unauthorized: 'throw' }));
    expect(visitedUrls).toEqual([]);
  });

  it('is not assumed for a wrong password: the reason reaches the login form', async () => {
    const { send, gone: visitedUrls } = createTestTransport({ status: 401, body: '{"message":"The email or the password is wrong"}' });
    expect((await getRejection(send(login, {}, {}))).message).toBe('The email or the password is wrong');
    expect(visitedUrls).toEqual([]);
  });
});

describe('a request', () => {
  it('opens the home page if the company id is badly formed', async () => {
    const { send, gone: visitedUrls } = createTestTransport({ status: 400, body: '{"message":{"company_id":"badly formed"}}' });
    await getRejection(send(read, {}, {}));
    expect(visitedUrls).toEqual(['/portal/home']);
  });

  it('with GET sends defined input in the query, with cookies, and follows no redirect', async () => {
    const { send, requests } = createTestTransport({ status: 200, body: '[]' });
    await send(read, { company_id: 'a b', box: undefined }, {});
    expect(requests[0]?.url).toBe('/portal/things?company_id=a+b');
    expect(requests[0]?.init).toMatchObject({ method: 'GET', credentials: 'include', redirect: 'manual' });
  });

  it('with POST sends its input as JSON, with cookies, and follows no redirect', async () => {
    const { send, requests } = createTestTransport({ status: 201, body: '{}' });
    await send(write, { name: 'A' }, {});
    expect(requests[0]?.url).toBe('/portal/things');
    expect(requests[0]?.init).toMatchObject({ method: 'POST', credentials: 'include', redirect: 'manual', body: '{"name":"A"}' });
    expect(requests[0]?.init.headers).toMatchObject({ 'content-type': 'application/json' });
  });

  it('that files a return sends its idempotency key and the device data for HMRC', async () => {
    const { send, requests } = createTestTransport({ status: 200 });
    await send(filing, { x: 1 }, { idempotencyKey: 'k-1' });
    const headers = requests[0]?.init.headers as Record<string, string>;
    expect(headers['idempotency-key']).toBe('k-1');
    expect(JSON.parse(decodeURIComponent(headers['portal-device'] ?? ''))).toHaveProperty('utc_offset_minutes');
    expect(requests[0]?.init.body).toBe('{"x":1}');
  });

  it('that does not reach HMRC sends no device data', async () => {
    const { send, requests } = createTestTransport({ status: 200 });
    await send(write, {}, {});
    expect(requests[0]?.init.headers).not.toHaveProperty('portal-device');
  });

  it('returns an empty object for an empty body', async () => {
    await expect(createTestTransport({ status: 200, body: ' ' }).send(read, {}, {})).resolves.toEqual({});
  });
});
