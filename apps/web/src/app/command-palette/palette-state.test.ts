import { expect, it } from 'vitest';
import { changePalette } from './palette-state.tsx';

it('Ctrl+K opens a new palette before the closed one has disappeared', () => {
  const openedPalette = changePalette({ isOpen: false, openings: 0 }, 'toggle');
  const reopenedPalette = changePalette(changePalette(openedPalette, 'close'), 'toggle');
  expect([openedPalette, reopenedPalette]).toEqual([
    { isOpen: true, openings: 1 },
    { isOpen: true, openings: 2 },
  ]);
  expect(changePalette(reopenedPalette, 'toggle')).toEqual({ isOpen: false, openings: 2 });
});
