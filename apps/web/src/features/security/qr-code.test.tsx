import { render, screen } from '@testing-library/react';
import { encode } from 'uqr';
import { describe, expect, it } from 'vitest';
import { toSvgPath, QrCode } from './qr-code.tsx';

const text = 'otpauth://totp/Tidewater:tess@brightwell.example?secret=JBSWY3DPEHPK3PXP&issuer=Tidewater';

describe('a QR code', () => {
  it('has an accessible name and the margin that readers look for', () => {
    render(<QrCode text={text} label="The key as a picture" />);
    const image = screen.getByRole('img', { name: 'The key as a picture' });
    const { size } = encode(text, { ecc: 'M', border: 0 });
    expect(image.getAttribute('viewBox')).toBe(`0 0 ${size + 8} ${size + 8}`);
  });

  it('draws every dark module once, and nothing else', () => {
    const rows = encode(text, { ecc: 'M' }).data;
    const drawnRows = rows.map((row) => row.map(() => 0));
    for (const [, x = '', y = '', width = ''] of toSvgPath(rows).matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)) {
      for (let index = 0; index < Number(width); index += 1)
        (drawnRows[Number(y)] ?? [])[Number(x) + index] = ((drawnRows[Number(y)] ?? [])[Number(x) + index] ?? 0) + 1;
    }
    expect(drawnRows).toEqual(rows.map((row) => row.map(Number)));
  });
});
