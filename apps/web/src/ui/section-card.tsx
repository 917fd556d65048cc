import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useId, type ReactNode } from 'react';

type SectionCardProps = {
  title?: string;
  /** The level below the page's title. */
  headingLevel?: 'h2' | 'h3';
  /** Beside the title: a chip, a link, a small button. */
  aside?: ReactNode;
  children: ReactNode;
  /** Where the figures come from and of when: "HMRC, 21 November 2026, 09:14". */
  source?: ReactNode;
};

/** A white card with a border: one subject, its title, its content, its source. */
export function SectionCard({ title, headingLevel = 'h2', aside, children, source }: SectionCardProps) {
  const id = useId();
  return (
    <Box
      component="section"
      aria-labelledby={title === undefined ? undefined : id}
      sx={{ bgcolor: 'background.paper', border: 1, borderColor: 'divider', borderRadius: 1, p: { xs: 2, sm: 3 }, minWidth: 0 }}
    >
      {(title !== undefined || aside !== undefined) && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center', justifyContent: 'space-between', mb: 2 }}>
          {title !== undefined && (
            <Typography id={id} component={headingLevel} variant="h2">
              {title}
            </Typography>
          )}
          {aside}
        </Box>
      )}
      {children}
      {source !== undefined && (
        <Typography variant="body2" component="div" sx={{ mt: 2, color: 'text.secondary' }}>
          {source}
        </Typography>
      )}
    </Box>
  );
}
