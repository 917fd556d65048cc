import { afterEach, describe, expect, it, vi } from 'vitest';
import { deleteIdempotencyKey, getOrCreateIdempotencyKey } from './idempotency-key.ts';

afterEach(() => {
  localStorage.clear();
  vi.restoreAllMocks();
});

describe('the key of a decision', () => {
  it('is a UUID, the same for a second click, a reload and another tab', () => {
    const first = getOrCreateIdempotencyKey('file:a:v1');
    expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(getOrCreateIdempotencyKey('file:a:v1')).toBe(first);
  });

  it('is another one for other figures, and after the decision is over', () => {
    const first = getOrCreateIdempotencyKey('file:a:v1');
    expect(getOrCreateIdempotencyKey('file:a:v2')).not.toBe(first);
    deleteIdempotencyKey('file:a:v1');
    expect(getOrCreateIdempotencyKey('file:a:v1')).not.toBe(first);
  });

  it('holds for the page where the browser refuses storage', () => {
    vi.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
      throw new DOMException('refused', 'SecurityError');
    });
    expect(getOrCreateIdempotencyKey('file:b:v1')).toBe(getOrCreateIdempotencyKey('file:b:v1'));
  });
});
