import '../shell.css';
import type { ReactNode } from 'react';

/** The white bar of every header. From 768 px it is 81 px high with its border (docs/product/specification.md section 9). */
export function Bar({ children, hiddenWhenSmall = false }: { children: ReactNode; hiddenWhenSmall?: boolean }) {
  return <header className={hiddenWhenSmall ? 'p-bar is-hidden-when-small' : 'p-bar'}>{children}</header>;
}
