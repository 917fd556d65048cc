import './plain.css';
import type { ReactNode } from 'react';

/** Read by screen readers, not seen. */
export function HiddenText({ children, role }: { children: ReactNode; role?: 'status' }) {
  return (
    <span className="p-hidden" role={role}>
      {children}
    </span>
  );
}
