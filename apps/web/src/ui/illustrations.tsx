/** Decorative illustrations for empty states, in the brand's colours, for light and dark mode. */
import type { ReactNode } from 'react';
import styles from './illustrations.module.css';

function Illustration({ children }: { children: ReactNode }) {
  return (
    <svg viewBox="0 0 160 112" width="160" height="112" aria-hidden="true" focusable="false" className={styles.illustration}>
      <ellipse cx="80" cy="100" rx="64" ry="6" className={styles.shade} />
      {children}
    </svg>
  );
}

/** For an empty list of clients: folders with a space for the next one. */
export function NoClientsIllustration() {
  return (
    <Illustration>
      <path d="M22 40h28l6 8h38v46H22z" className={styles.soft} />
      <path d="M46 28h28l6 8h38v58H46z" className={styles.paper} />
      <circle cx="82" cy="58" r="10" className={styles.main} />
      <path d="M64 86c0-11 8-16 18-16s18 5 18 16z" className={styles.main} />
      <circle cx="124" cy="32" r="14" className={styles.accent} />
      <path d="M124 25v14M117 32h14" className={styles.onAccent} />
    </Illustration>
  );
}

/** For an empty list of VAT returns: a calendar with one marked day. */
export function NoReturnsIllustration() {
  return (
    <Illustration>
      <rect x="36" y="24" width="88" height="72" rx="8" className={styles.paper} />
      <path d="M36 32a8 8 0 0 1 8-8h72a8 8 0 0 1 8 8v12H36z" className={styles.main} />
      <path d="M58 16v14M102 16v14" className={styles.line} />
      <path d="M48 56h14v10H48zm25 0h14v10H73zm25 0h14v10H98zM48 76h14v10H48zm50 0h14v10H98z" className={styles.soft} />
      <rect x="71" y="73" width="18" height="16" rx="4" className={styles.accent} />
      <path d="m75 81 4 4 7-8" className={styles.onAccent} />
    </Illustration>
  );
}

/** Shown before any books are uploaded: an open book with an upload arrow. */
export function NoBooksIllustration() {
  return (
    <Illustration>
      <path d="M80 44c-12-9-28-10-48-8v54c20-2 36-1 48 8z" className={styles.paper} />
      <path d="M80 44c12-9 28-10 48-8v54c-20-2-36-1-48 8z" className={styles.soft} />
      <path d="M44 52c9 0 17 1 24 4M44 64c9 0 17 1 24 4M44 76c9 0 17 1 24 4" className={styles.line} />
      <path d="M92 68c7-3 15-4 24-4M92 80c7-3 15-4 24-4" className={styles.line} />
      <circle cx="112" cy="32" r="16" className={styles.accent} />
      <path d="M112 40V25m-7 6 7-7 7 7" className={styles.onAccent} />
    </Illustration>
  );
}

/** For an empty review queue: a magnifying glass over a clear page. */
export function NothingToReviewIllustration() {
  return (
    <Illustration>
      <rect x="40" y="16" width="64" height="80" rx="8" className={styles.paper} />
      <path d="M54 34h36M54 48h36M54 62h20" className={styles.line} />
      <path d="m108 82 16 14" className={styles.handle} />
      <circle cx="96" cy="70" r="20" className={styles.lens} />
      <path d="m87 70 6 6 12-13" className={styles.tick} />
    </Illustration>
  );
}

/** For when nothing is left to do: a completed sum with a tick. */
export function AllDoneIllustration() {
  return (
    <Illustration>
      <path d="M24 84c12-10 22-10 34 0s22 10 34 0 22-10 44 0v12H24z" className={styles.soft} />
      <circle cx="80" cy="52" r="34" className={styles.main} />
      <path d="m65 53 11 11 20-23" className={styles.check} />
      <path d="M34 34v12M28 40h12M128 26v10M123 31h10" className={styles.sparkle} />
      <circle cx="122" cy="62" r="4" className={styles.accent} />
    </Illustration>
  );
}
