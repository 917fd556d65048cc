import { expect, it } from 'vitest';
import { describeUndone } from './undo-change.tsx';

it.each([
  [{ changed: 1, put_back: 1 }, '1 client restored.'],
  [{ changed: 300, put_back: 298 }, '298 clients restored. 2 clients left as they are, because of a later change.'],
  [{ changed: 2, put_back: 0 }, '0 clients restored. 2 clients left as they are, because of a later change.'],
])('%o: %s', (change, text) => {
  expect(describeUndone(change)).toBe(text);
});
