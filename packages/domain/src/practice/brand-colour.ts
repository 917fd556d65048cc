/** A practice's brand colour, corrected so that both text in it and white text on it are legible. */

/** The minimum contrast for normal text (WCAG 2.2, 1.4.3). */
const MIN_CONTRAST = 4.5;
const HEX_PATTERN = /^#?([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i;

type Rgb = readonly [red: number, green: number, blue: number];

export function parseColour(text: string): Rgb | undefined {
  const [matched, red = '', green = '', blue = ''] = HEX_PATTERN.exec(text.trim()) ?? [];
  return matched === undefined ? undefined : [parseInt(red, 16), parseInt(green, 16), parseInt(blue, 16)];
}

const toHex = (colour: Rgb): string => `#${colour.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`.toUpperCase();

/** Returns the relative luminance (WCAG 2.2). */
function getLuminance(colour: Rgb): number {
  const [red = 0, green = 0, blue = 0] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns the contrast, from 1 (the same) to 21 (black on white). */
export function getContrast(baseColour: Rgb, other: Rgb): number {
  const [lighter = 0, darker = 0] = [getLuminance(baseColour), getLuminance(other)].toSorted((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

/**
 * Returns the colour, or its nearest shade with a contrast of 4.5 on the background: darker on a light background, lighter on a dark one.
 * Undefined if it isn't a colour.
 */
export function toReadableColour(text: string, backgroundText: string): string | undefined {
  const [colour, ground] = [parseColour(text), parseColour(backgroundText)];
  if (!colour || !ground) return undefined;
  const target = getLuminance(ground) > 0.18 ? 0 : 255;
  for (let step = 0; step <= 100; step += 1) {
    const shade = colour.map((part) => Math.round(part + ((target - part) * step) / 100)) as unknown as Rgb;
    if (getContrast(shade, ground) >= MIN_CONTRAST) return toHex(shade);
  }
  return target === 0 ? '#000000' : '#FFFFFF';
}
