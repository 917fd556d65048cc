import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';

/** Steps that happen one after the other. */
export function NumberedSteps({ steps }: { steps: readonly { readonly title: string; readonly text: string }[] }) {
  return (
    <Box component="ol" sx={{ listStyle: 'none', m: 0, p: 0, display: 'grid', gap: 2 }}>
      {steps.map(({ title, text }, index) => (
        <Box component="li" key={title} sx={{ display: 'flex', gap: 2 }}>
          <Box
            aria-hidden="true"
            sx={{
              flex: 'none',
              display: 'grid',
              placeItems: 'center',
              width: 32,
              height: 32,
              borderRadius: '50%',
              bgcolor: 'primary.soft',
              color: 'primary.tone',
              fontWeight: 600,
            }}
          >
            {index + 1}
          </Box>
          <div>
            <Typography sx={{ fontWeight: 600 }}>{title}</Typography>
            <Typography sx={{ color: 'text.secondary' }}>{text}</Typography>
          </div>
        </Box>
      ))}
    </Box>
  );
}
