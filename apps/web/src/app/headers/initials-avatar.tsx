import Avatar from '@mui/material/Avatar';
import type { Theme } from '@mui/material/styles';
import { initialsOf } from '../../lib/initials.ts';

const AVATAR_PX = 35;

const TONES = {
  dark: { bgcolor: 'secondary.fill', color: 'secondary.onFill' },
  light: (theme: Theme) => ({
    bgcolor: 'secondary.soft',
    color: 'secondary.tone',
    // Where the page is dark, the soft ground would be the darker of the two.
    ...theme.applyStyles('dark', { bgcolor: 'secondary.tone', color: 'secondary.main' }),
  }),
} as const;

/** Up to two initials in a circle of 35 px (specification 9); an empty circle where the name is not known. */
export function InitialsAvatar({ name, tone = 'dark' }: { name: string; tone?: keyof typeof TONES }) {
  return (
    <Avatar sx={[{ width: AVATAR_PX, height: AVATAR_PX, fontSize: '0.875rem', fontWeight: 600 }, TONES[tone]]}>
      {/* An element even without letters: MUI draws a person into an avatar without children. */}
      <span>{initialsOf(name)}</span>
    </Avatar>
  );
}
