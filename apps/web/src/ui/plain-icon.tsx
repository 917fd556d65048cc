import './plain.css';
import { ICON_PATHS, type IconName } from './icon-paths.ts';
import type { Role } from '../core/tokens.ts';

/** An icon without MUI, in the colour of the text or in the tone of a role. Decorative: the text beside it says what it means. */
export function PlainIcon({ name, tone, px }: { name: IconName; tone?: Role; px?: number }) {
  return (
    <svg
      className={tone === undefined ? 'p-icon' : `p-icon p-tone-${tone}`}
      viewBox="0 0 24 24"
      aria-hidden="true"
      focusable="false"
      {...(px === undefined ? {} : { style: { fontSize: px } })}
    >
      <path d={ICON_PATHS[name]} />
    </svg>
  );
}
