import { expect, it } from 'vitest';
import { paletteReducer } from './palette-state.tsx';

it('Ctrl+K opens a new palette before the closed one has disappeared', () => {
  const openedPalette = paletteReducer({ isOpen: false, openings: 0 }, 'toggle');
  const reopenedPalette = paletteReducer(paletteReducer(openedPalette, 'close'), 'toggle');
  expect([openedPalette, reopenedPalette]).toEqual([
    { isOpen: true, openings: 1 },
    { isOpen: true, openings: 2 },
  ]);
  expect(paletteReducer(reopenedPalette, 'toggle')).toEqual({ isOpen: false, openings: 2 });
});
