import './plain.css';
import type { ReactNode } from 'react';

/** The ways on, the main one first: side by side, and on a phone below each other over the whole width. */
export function ButtonRow({ children }: { children: ReactNode }) {
  return <div className="p-row p-ways">{children}</div>;
}
