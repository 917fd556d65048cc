import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';

type SectionProps = { id: string; title: string; lead: string; children: ReactNode };

/** A component with its own link: /dev/components#status-panel. */
export function Section({ id, title, lead, children }: SectionProps) {
  return (
    <Box component="section" id={id} aria-labelledby={`${id}-title`} tabIndex={-1} sx={{ scrollMarginTop: 16, mb: { xs: 6, md: 8 } }}>
      <Typography id={`${id}-title`} variant="h2">
        <Link href={`#${id}`} color="inherit" underline="hover" sx={{ color: 'text.primary' }}>
          {title}
        </Link>
      </Typography>
      <Typography sx={{ color: 'text.secondary', mt: 0.5, mb: 2, maxWidth: 760, textWrap: 'pretty' }}>{lead}</Typography>
      {children}
    </Box>
  );
}

/** Samples side by side, as many as fit. */
export function Samples({ children, minWidth = 280 }: { children: ReactNode; minWidth?: number }) {
  return (
    <Box
      data-samples
      sx={{
        display: 'grid',
        gap: 2,
        alignItems: 'start',
        '[data-samples] + &': { mt: 2 },
        gridTemplateColumns: `repeat(auto-fill, minmax(min(100%, ${minWidth}px), 1fr))`,
      }}
    >
      {children}
    </Box>
  );
}

type SampleProps = {
  /** The state that the sample shows. */
  name: string;
  /** Whether the component reaches the frame's edges, as on a page. */
  flush?: boolean;
  /** Whether the sample is as wide as the screen on a phone. */
  bleeds?: boolean;
  children: ReactNode;
};

/** One state of a component. */
export function Sample({ name, flush = false, bleeds = false, children }: SampleProps) {
  return (
    <Box
      component="figure"
      sx={{
        m: 0,
        minWidth: 0,
        border: 1,
        borderColor: 'divider',
        borderRadius: 1,
        bgcolor: 'background.paper',
        overflow: 'clip',
        ...(bleeds ? { mx: { xs: -2, sm: 0 }, borderRadius: { xs: 0, sm: 1 }, borderInlineWidth: { xs: 0, sm: 1 } } : {}),
      }}
    >
      <Typography
        component="figcaption"
        variant="body2"
        sx={{ px: 2, py: 1, color: 'text.secondary', borderBottom: 1, borderColor: 'divider' }}
      >
        {name}
      </Typography>
      <Box sx={flush ? {} : { p: 2 }}>{children}</Box>
    </Box>
  );
}
