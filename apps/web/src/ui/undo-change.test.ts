import { expect, it } from 'vitest';
import { describeUndone } from './undo-change.tsx';

it.each([
  [{ changed: 1, put_back: 1 }, '1 client put back as before.'],
  [{ changed: 300, put_back: 298 }, '298 clients put back as before. 2 clients changed by somebody since and left so.'],
  [{ changed: 2, put_back: 0 }, '0 clients put back as before. 2 clients changed by somebody since and left so.'],
])('%o: %s', (change, text) => {
  expect(describeUndone(change)).toBe(text);
});
