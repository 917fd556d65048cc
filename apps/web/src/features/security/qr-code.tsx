/** A QR code as one SVG path. Dark on light in both colour schemes, because many apps can't read light-on-dark codes. */
import { encode } from 'uqr';
import styles from './qr-code.module.css';

/** The standard requires a margin of four modules (ISO/IEC 18004, "quiet zone"). */
const QUIET_ZONE = 4;

type QrCodeProps = { text: string; /** Accessible name: the code's purpose. */ label: string };

export function QrCode({ text, label }: QrCodeProps) {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET_ZONE });
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges" className={styles.code}>
      <rect width={size} height={size} fill="#fff" />
      <path d={toSvgPath(data)} fill="#000" />
    </svg>
  );
}

/** Draws each run of dark modules in a row as one bar. */
export function toSvgPath(rows: readonly (readonly boolean[])[]): string {
  const bars: string[] = [];
  for (const [y, row] of rows.entries()) {
    for (let x = 0; x < row.length; x += 1) {
      if (!row[x]) continue;
      const from = x;
      while (row[x + 1]) x += 1;
      bars.push(`M${from} ${y}h${x + 1 - from}v1h-${x + 1 - from}z`);
    }
  }
  return bars.join('');
}
