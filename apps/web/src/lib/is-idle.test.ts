import { expect, it } from 'vitest';
import { isIdle } from './is-idle.ts';

it('counts the time since the page was last used', () => {
  dispatchEvent(new Event('keydown'));
  expect(isIdle(Date.now() + 50_000)).toBe(false);
  expect(isIdle(Date.now() + 70_000)).toBe(true);
});
