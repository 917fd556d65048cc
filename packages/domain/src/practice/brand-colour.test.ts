import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toReadableColour, getContrast, parseColour } from './brand-colour.ts';

it('keeps a colour that can be read, and changes one that can’t no more than needed', () => {
  expect(toReadableColour('#7440F5', '#FFFFFF')).toBe('#7440F5');
  expect(toReadableColour('7440f5', '#ffffff')).toBe('#7440F5');
  expect(toReadableColour('purple', '#FFFFFF')).toBeUndefined();
  const correctedYellow = toReadableColour('#FFD400', '#FFFFFF') ?? '';
  expect(correctedYellow).not.toBe('#FFD400');
  expect(getContrast(parseColour(correctedYellow) ?? [0, 0, 0], [255, 255, 255])).toBeLessThan(4.7);
});

it('gives every colour a contrast of 4.5 on every background', () => {
  const colour = fc
    .tuple(fc.nat(255), fc.nat(255), fc.nat(255))
    .map((parts) => `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`);
  fc.assert(
    fc.property(colour, fc.constantFrom('#FFFFFF', '#1A1D20', '#FAF9F7', '#111315'), (text, ground) => {
      const [shade, background] = [parseColour(toReadableColour(text, ground) ?? ''), parseColour(ground)];
      expect(getContrast(shade ?? [0, 0, 0], background ?? [0, 0, 0])).toBeGreaterThanOrEqual(4.5);
    }),
  );
});
