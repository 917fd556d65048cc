import SvgIcon, { type SvgIconProps } from '@mui/material/SvgIcon';
import { ICON_PATHS, type IconName } from './icon-paths.ts';

export type { IconName } from './icon-paths.ts';

/** An icon. Decorative unless it has a `title`. */
export function Icon({ name, title, ...props }: SvgIconProps & { name: IconName; title?: string }) {
  return (
    <SvgIcon {...props} {...(title === undefined ? {} : { titleAccess: title })}>
      <path d={ICON_PATHS[name]} />
    </SvgIcon>
  );
}
