import '../shell.css';
import type { ReactNode } from 'react';

/** The white bar of every header. From 768 px it is 81 high with its border, which is what the page's height leaves (specification 9). */
export function Bar({ children, hiddenWhenSmall = false }: { children: ReactNode; hiddenWhenSmall?: boolean }) {
  return <header className={hiddenWhenSmall ? 'p-bar is-hidden-when-small' : 'p-bar'}>{children}</header>;
}
