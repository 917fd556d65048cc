import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';

/** The fixed text of the agreement, one paragraph per line. It is a focusable region so that it can be scrolled with the keyboard. */
export function AgreementText({ text }: { text: string }) {
  const [heading = '', ...paragraphs] = text.split('\n');
  return (
    <Box
      role="region"
      aria-label="The agreement"
      tabIndex={0}
      sx={{
        maxHeight: 320,
        overflowY: 'auto',
        border: 1,
        borderColor: 'control',
        borderRadius: 1,
        p: 2,
        bgcolor: 'background.default',
        '@media print': { maxHeight: 'none' },
      }}
    >
      <Typography sx={{ fontWeight: 600, mb: 1 }}>{heading}</Typography>
      {paragraphs.map((paragraph) => (
        <Typography key={paragraph} sx={{ mb: 1.5, maxWidth: '75ch' }}>
          {paragraph}
        </Typography>
      ))}
    </Box>
  );
}
