import { expect, it } from 'vitest';
import { changePalette } from './palette-state.tsx';

it('opens another palette if Ctrl+K is pressed before the closed one is gone', () => {
  const opened = changePalette({ isOpen: false, openings: 0 }, 'toggle');
  const again = changePalette(changePalette(opened, 'close'), 'toggle');
  expect([opened, again]).toEqual([
    { isOpen: true, openings: 1 },
    { isOpen: true, openings: 2 },
  ]);
  expect(changePalette(again, 'toggle')).toEqual({ isOpen: false, openings: 2 });
});
