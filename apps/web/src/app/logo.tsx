import './shell.css';
import { brandName } from '../lib/settings.ts';
import { LogoMark } from '../ui/logo-mark.tsx';

/** The brand's name as a logo, 24 px high. */
export function Logo() {
  return (
    <span className="p-logo">
      <LogoMark />
      {brandName()}
    </span>
  );
}
