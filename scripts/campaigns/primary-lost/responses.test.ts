/** Tests how the campaign recognises an outage, and a response that users must never get. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { observeResponses } from './responses.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const PORTAL_URLS = ['http://a/portal', 'http://b/portal'];

it('measures the longest time without an acknowledged write, at the portal where it was longest, and up to now', () => {
  const answers = observeResponses();
  const acknowledge = (portal: string, afterMs: number): void => {
    vi.advanceTimersByTime(afterMs);
    answers.acknowledge(portal);
  };
  acknowledge('http://a/portal', 100);
  acknowledge('http://b/portal', 0);
  const startedAt = performance.now();
  for (const portal of PORTAL_URLS) acknowledge(portal, 100);
  acknowledge('http://b/portal', 7_000);
  acknowledge('http://a/portal', 2_000);
  expect(answers.readOutageMs(PORTAL_URLS, startedAt)).toBe(9_100);
  vi.advanceTimersByTime(20_000);
  expect(answers.readOutageMs(PORTAL_URLS, startedAt)).toBe(22_000);
});

it('finds server errors, and a 503 without a Retry-After header', () => {
  const answers = observeResponses();
  const receive = (status: number, headers: Record<string, string> = {}): void => {
    const response = new Response(null, { status, headers });
    Object.defineProperty(response, 'url', { value: `http://a/portal/${status}` });
    answers.onAnswer(response);
  };
  receive(200);
  receive(409);
  receive(503, { 'retry-after': '15' });
  expect([...answers.findings]).toEqual([]);
  receive(500);
  receive(503);
  expect([...answers.findings]).toEqual(['/portal/500 answered 500', '/portal/503 answered 503 without Retry-After']);
  expect(Object.fromEntries(answers.takeCounts())).toEqual({ 200: 1, 409: 1, 500: 1, 503: 2 });
  expect(answers.takeCounts().size).toBe(0);
});
