import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { Icon, type IconName } from './icons.tsx';

export type NoticeTone = 'success' | 'warning' | 'error' | 'info';

const ICONS: Readonly<Record<NoticeTone, IconName>> = { success: 'checkCircle', warning: 'warning', error: 'errorCircle', info: 'info' };

type NoticeProps = {
  tone: NoticeTone;
  title: string;
  children?: ReactNode;
  /** `alert` for what a click has just led to, `status` for what changes by itself; without it the notice is read in its place. */
  role?: 'alert' | 'status';
};

/** One matter in its place on the page: what happened, what it means, the way out. */
export function Notice({ tone, title, children, role }: NoticeProps) {
  return (
    <Box
      role={role}
      sx={{
        display: 'flex',
        gap: 1.5,
        p: 2,
        border: 1,
        borderColor: children === undefined ? 'divider' : `${tone}.tone`,
        borderRadius: 1,
        bgcolor: children === undefined ? 'background.paper' : `${tone}.soft`,
      }}
    >
      <Icon name={ICONS[tone]} sx={{ color: `${tone}.tone`, mt: '1px' }} />
      <Box sx={{ minWidth: 0, flex: 1 }}>
        <Typography sx={{ fontWeight: 600 }}>{title}</Typography>
        {children === undefined ? null : <Box sx={{ mt: 0.5 }}>{children}</Box>}
      </Box>
    </Box>
  );
}
