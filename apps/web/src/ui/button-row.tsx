import './plain.css';
import type { ReactNode } from 'react';

/** The actions of a page, the main one first: side by side, or stacked at full width on a phone. */
export function ButtonRow({ children }: { children: ReactNode }) {
  return <div className="p-row p-ways">{children}</div>;
}
