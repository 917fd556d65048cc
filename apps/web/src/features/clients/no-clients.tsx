import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Icon, type IconName } from '../../ui/icons.tsx';

/** Shown to a practice without clients, or a team member without assigned clients: explains what to do next. */
export function NoClients({ importLink, isAdmin }: { importLink: string | undefined; isAdmin: boolean }) {
  return isAdmin ? (
    <Empty
      icon="upload"
      title="No clients yet"
      text="Import them from a file or another product. You see what would happen before anything is taken in, and can undo it for a day."
    >
      {importLink !== undefined && (
        <Button component={Link} to={importLink}>
          Import clients
        </Button>
      )}
    </Empty>
  ) : (
    <Empty
      icon="info"
      title="No clients are given to you yet"
      text="An admin of your practice gives clients into your care; then they appear here."
    />
  );
}

export function NothingFound({ onClear }: { onClear: () => void }) {
  return (
    <Empty icon="info" title="No client matches" text="Nothing is lost: the search and the filters leave no client to show.">
      <Button variant="outlined" onClick={onClear}>
        Clear search and filters
      </Button>
    </Empty>
  );
}

function Empty({ icon, title, text, children }: { icon: IconName; title: string; text: string; children?: ReactNode }) {
  return (
    <Box
      sx={{
        display: 'grid',
        justifyItems: 'center',
        gap: 1,
        p: { xs: 3, sm: 6 },
        textAlign: 'center',
        bgcolor: 'background.paper',
        border: 1,
        borderColor: 'divider',
        borderRadius: 1,
      }}
    >
      <Icon name={icon} sx={{ fontSize: 48, color: 'primary.tone' }} />
      <Typography variant="h2">{title}</Typography>
      <Typography sx={{ color: 'text.secondary', maxWidth: 480, mb: children ? 1 : 0 }}>{text}</Typography>
      {children}
    </Box>
  );
}
