/** Brand logos for sign-in buttons (docs/product/specification.md section 2.6), drawn as our own SVGs. */
import type { ReactNode } from 'react';

export type Brand = 'microsoft' | 'google' | 'xero' | 'hmrc' | 'quickbooks' | 'freeagent' | 'email';

/** Variants of a word mark: on our background, on the brand's colour, or on hover. */
export type MarkLook = 'default' | 'filled' | 'hover';

type WordMarkProps = { brand: WordBrand; look: MarkLook };

/** A word on a shape in the brand's colour. White text has a contrast of at least 4.5:1 on each colour. */
function WordMark({ brand, look }: WordMarkProps) {
  const { colour, hover, word, size, round = true } = WORD_MARKS[brand];
  const shape = look === 'filled' ? '#fff' : look === 'hover' ? hover : colour;
  return (
    <>
      {round ? <circle cx="12" cy="12" r="12" fill={shape} /> : <rect y="3" width="24" height="18" rx="2" fill={shape} />}
      <text
        x="12"
        y={12 + size * 0.35}
        textAnchor="middle"
        fontSize={size}
        fontWeight="700"
        fontFamily="inherit"
        fill={look === 'filled' ? colour : '#fff'}
      >
        {word}
      </text>
    </>
  );
}

type WordBrand = 'xero' | 'hmrc' | 'quickbooks' | 'freeagent';
type WordMarkStyle = {
  readonly colour: string;
  readonly hover: string;
  readonly word: string;
  readonly size: number;
  readonly round?: boolean;
};

/** Brand colours, dark enough for white text. */
export const WORD_MARKS: Readonly<Record<WordBrand, WordMarkStyle>> = {
  xero: { colour: '#0A7397', hover: '#085F7D', word: 'xero', size: 8.5 },
  hmrc: { colour: '#00703C', hover: '#005A30', word: 'HMRC', size: 7.5, round: false },
  quickbooks: { colour: '#1B7D10', hover: '#14640B', word: 'qb', size: 12 },
  freeagent: { colour: '#1270B8', hover: '#0E5A95', word: 'fa', size: 12 },
};

const LOGOS: Readonly<Record<Exclude<Brand, WordBrand>, ReactNode>> = {
  microsoft: (
    <>
      <path fill="#F25022" d="M2 2h9v9H2z" />
      <path fill="#7FBA00" d="M13 2h9v9h-9z" />
      <path fill="#00A4EF" d="M2 13h9v9H2z" />
      <path fill="#FFB900" d="M13 13h9v9h-9z" />
    </>
  ),
  google: (
    <g fill="none" strokeWidth="4.2">
      <path stroke="#EA4335" d="M5 7.1A8.5 8.5 0 0 1 18.5 6.5" />
      <path stroke="#FBBC05" d="M6 18a8.5 8.5 0 0 1-1-10.9" />
      <path stroke="#34A853" d="M18 18a8.5 8.5 0 0 1-12 0" />
      <path stroke="#4285F4" d="M12 12h8.5A8.5 8.5 0 0 1 18 18" />
    </g>
  ),
  email: (
    <path
      fill="currentColor"
      d="M22 6c0-1.1-.9-2-2-2H4c-1.1 0-2 .9-2 2v12c0 1.1.9 2 2 2h16c1.1 0 2-.9 2-2zm-2 0-8 5-8-5zm0 12H4V8l8 5 8-5z"
    />
  ),
};

function isWordBrand(brand: Brand): brand is WordBrand {
  return brand in WORD_MARKS;
}

/** Decorative, because the button's label states the brand. `look` affects only word marks; the other logos keep their colours. */
export function BrandMark({ brand, look = 'default' }: { brand: Brand; look?: MarkLook }) {
  return (
    <svg width="24" height="24" viewBox="0 0 24 24" aria-hidden="true" style={{ flexShrink: 0 }}>
      {isWordBrand(brand) ? <WordMark brand={brand} look={look} /> : LOGOS[brand]}
    </svg>
  );
}
