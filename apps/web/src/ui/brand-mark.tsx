/** The marks on sign-in buttons (specification 2.6), drawn by us; no MUI, for the landing page shows them too. */
import type { ReactNode } from 'react';

export type Brand = 'microsoft' | 'google' | 'xero' | 'hmrc' | 'quickbooks' | 'freeagent' | 'email';

/** A word in a shape of the brand's colour; white on each colour reaches 3:1, what a graphic needs. */
function WordMark({ colour, word, size, round = true }: { colour: string; word: string; size: number; round?: boolean }) {
  return (
    <>
      {round ? <circle cx="12" cy="12" r="12" fill={colour} /> : <rect y="3" width="24" height="18" rx="2" fill={colour} />}
      <text x="12" y={12 + size * 0.35} textAnchor="middle" fontSize={size} fontWeight="700" fontFamily="inherit" fill="#fff">
        {word}
      </text>
    </>
  );
}

const MARKS: Readonly<Record<Brand, ReactNode>> = {
  microsoft: (
    <>
      <path fill="#F25022" d="M1 1h10.5v10.5H1z" />
      <path fill="#7FBA00" d="M12.5 1H23v10.5H12.5z" />
      <path fill="#00A4EF" d="M1 12.5h10.5V23H1z" />
      <path fill="#FFB900" d="M12.5 12.5H23V23H12.5z" />
    </>
  ),
  google: (
    <>
      <path
        fill="#4285F4"
        d="M22.6 12.25c0-.78-.07-1.53-.2-2.25H12v4.26h5.94a5.08 5.08 0 0 1-2.2 3.33v2.77h3.56c2.09-1.92 3.3-4.75 3.3-8.11z"
      />
      <path fill="#34A853" d="M12 23c2.97 0 5.46-.99 7.3-2.64l-3.57-2.77a6.6 6.6 0 0 1-9.82-3.47H2.23v2.84A11 11 0 0 0 12 23z" />
      <path fill="#FBBC05" d="M5.91 14.12a6.6 6.6 0 0 1 0-4.22V7.06H2.23a11 11 0 0 0 0 9.9z" />
      <path fill="#EA4335" d="M12 5.43c1.62 0 3.06.56 4.2 1.65l3.16-3.16A11 11 0 0 0 2.23 7.06L5.9 9.9A6.55 6.55 0 0 1 12 5.43z" />
    </>
  ),
  xero: <WordMark colour="#0B7FA6" word="xero" size={8.5} />,
  hmrc: <WordMark colour="#00703C" word="HMRC" size={7.5} round={false} />,
  quickbooks: <WordMark colour="#1E8A12" word="qb" size={12} />,
  freeagent: <WordMark colour="#1270B8" word="fa" size={12} />,
  email: (
    <path
      fill="currentColor"
      d="M22 6c0-1.1-.9-2-2-2H4c-1.1 0-2 .9-2 2v12c0 1.1.9 2 2 2h16c1.1 0 2-.9 2-2zm-2 0-8 5-8-5zm0 12H4V8l8 5 8-5z"
    />
  ),
};

/** Decorative: the button's words name the brand. */
export function BrandMark({ brand }: { brand: Brand }) {
  return (
    <svg width="24" height="24" viewBox="0 0 24 24" aria-hidden="true" style={{ flexShrink: 0 }}>
      {MARKS[brand]}
    </svg>
  );
}
