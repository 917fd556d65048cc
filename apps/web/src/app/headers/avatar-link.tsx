import '../../ui/plain-button.css';
import { Link } from 'react-router';
import { getInitials } from '../../lib/initials.ts';
import { InitialsAvatar } from './initials-avatar.tsx';

type AvatarLinkProps = {
  /** Empty where it could not be read: the circle stays empty (specification 8). */
  name: string;
  to: string;
  /** What it leads to: "your profile". */
  destination: string;
  tone?: 'dark' | 'light';
};

/** An avatar that leads somewhere. */
export function AvatarLink({ name, to, destination, tone = 'dark' }: AvatarLinkProps) {
  const initials = getInitials(name);
  return (
    <Link
      className="p-icon-button"
      to={to}
      // The name begins with what is seen, so that people who speak to their computer can say it (WCAG 2.5.3).
      aria-label={initials === '' ? capitalise(destination) : `${initials}: ${destination}`}
    >
      <InitialsAvatar name={name} tone={tone} />
    </Link>
  );
}

const capitalise = (words: string): string => `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
