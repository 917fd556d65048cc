import './plain.css';
import type { ReactNode } from 'react';

/** Visually hidden text for screen readers. */
export function HiddenText({ children, role }: { children: ReactNode; role?: 'status' }) {
  return (
    <span className="p-hidden" role={role}>
      {children}
    </span>
  );
}
