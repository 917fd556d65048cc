import './plain.css';
import type { Role } from '../core/tokens.ts';
import type { IconName } from './icon-paths.ts';
import { PlainIcon } from './plain-icon.tsx';

/** A state as label, icon and colour, because colour alone must not carry meaning (WCAG 1.4.1). */
export function StateChip({ label, icon, tone }: { label: string; icon: IconName; tone: Role }) {
  return (
    <span className={`p-chip p-soft-${tone} p-tone-${tone}`}>
      <PlainIcon name={icon} />
      {label}
    </span>
  );
}
