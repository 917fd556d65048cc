import { Link } from '../../ui/link.tsx';
import { getInitials } from '../../lib/initials.ts';
import { getIconButtonClass } from '../../ui/button-look.ts';
import { InitialsAvatar } from './initials-avatar.tsx';

type AvatarLinkProps = {
  /** The user's or company's name. If it can't be loaded it is empty, and so is the circle (docs/product/specification.md section 8). */
  name: string;
  to: string;
  /** The page that the avatar links to, for example "your profile". */
  destination: string;
  tone?: 'dark' | 'light';
};

export function AvatarLink({ name, to, destination, tone = 'dark' }: AvatarLinkProps) {
  const initials = getInitials(name);
  return (
    <Link
      className={getIconButtonClass()}
      to={to}
      // The label starts with the visible text, so that users of speech input can say it (WCAG 2.5.3).
      aria-label={initials === '' ? capitalise(destination) : `${initials}: ${destination}`}
    >
      <InitialsAvatar name={name} tone={tone} />
    </Link>
  );
}

const capitalise = (words: string): string => `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
