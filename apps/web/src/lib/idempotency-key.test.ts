import { afterEach, describe, expect, it, vi } from 'vitest';
import { deleteIdempotencyKey, getOrCreateIdempotencyKey, sendWithIdempotencyKey } from './idempotency-key.ts';
import { ApiError } from './problem-to-error.ts';

afterEach(() => {
  localStorage.clear();
  vi.restoreAllMocks();
});

describe('an idempotency key', () => {
  it('is a UUID, the same for a second click, a reload and another tab', () => {
    const first = getOrCreateIdempotencyKey('file:a:v1');
    expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(getOrCreateIdempotencyKey('file:a:v1')).toBe(first);
  });

  it('is different for other figures and after it was deleted', () => {
    const first = getOrCreateIdempotencyKey('file:a:v1');
    expect(getOrCreateIdempotencyKey('file:a:v2')).not.toBe(first);
    deleteIdempotencyKey('file:a:v1');
    expect(getOrCreateIdempotencyKey('file:a:v1')).not.toBe(first);
  });

  it('lasts as long as the page if the browser blocks storage', () => {
    vi.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
      throw new DOMException('refused', 'SecurityError');
    });
    expect(getOrCreateIdempotencyKey('file:b:v1')).toBe(getOrCreateIdempotencyKey('file:b:v1'));
  });

  const createFailingRequest = (status: number, code: string) => () => Promise.reject(new ApiError({ status, code, message: '' }));

  it.each([
    ['a lost answer', 0, 'network.unreachable'],
    ['a fault of the server', 500, 'server.bug'],
    ['a first call that is still running', 409, 'idempotency.in_progress'],
  ])('is sent again after %s', async (_case, status, code) => {
    const key = getOrCreateIdempotencyKey('file:c:v1');
    await expect(sendWithIdempotencyKey('file:c:v1', createFailingRequest(status, code))).rejects.toThrow(ApiError);
    expect(await sendWithIdempotencyKey('file:c:v1', async (sentKey) => sentKey)).toBe(key);
  });

  it.each([
    ['an answer', async () => 'done'],
    ['a refusal', createFailingRequest(422, 'returns.not_due')],
    ['one that was used for another request', createFailingRequest(409, 'idempotency.key_reused')],
  ])('is another one after %s', async (_case, send) => {
    const key = getOrCreateIdempotencyKey('file:d:v1');
    await sendWithIdempotencyKey<unknown>('file:d:v1', send).catch(() => undefined);
    expect(await sendWithIdempotencyKey('file:d:v1', async (sentKey) => sentKey)).not.toBe(key);
  });
});
