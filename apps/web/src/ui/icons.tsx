import SvgIcon, { type SvgIconProps } from '@mui/material/SvgIcon';
import { ICON_PATHS, type IconName } from './icon-paths.ts';

export type { IconName } from './icon-paths.ts';

/** One icon; decorative unless `title` says what it means. */
export function Icon({ name, title, ...props }: SvgIconProps & { name: IconName; title?: string }) {
  return (
    <SvgIcon {...props} {...(title === undefined ? {} : { titleAccess: title })}>
      <path d={ICON_PATHS[name]} />
    </SvgIcon>
  );
}
