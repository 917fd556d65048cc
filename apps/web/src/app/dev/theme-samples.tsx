import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { usePageTheme } from '../../core/page-theme.ts';
import { LIGHT, PAGE_THEMES, type PageThemeName, type Role } from '../../core/tokens.ts';
import { Sample, Samples, Section } from './section.tsx';

const NAMES = Object.keys(PAGE_THEMES) as PageThemeName[];
const ROLES = Object.keys(LIGHT.roles) as Role[];
const SHADES = ['main', 'tone', 'fill', 'soft'] as const;

export function ThemeSamples() {
  const [name, setName] = useState<PageThemeName>('standard');
  usePageTheme(name);
  return (
    <Section id="theme" title="Theme" lead="The palette in its shades, the type, and the page themes. Light and dark follow the system.">
      <Box sx={{ mb: 2 }}>
        <Typography id="page-theme-label" sx={{ mb: 1 }}>
          Show this page in the theme
        </Typography>
        <ToggleButtonGroup
          exclusive
          value={name}
          aria-labelledby="page-theme-label"
          onChange={(_event, chosen: PageThemeName | null) => {
            if (chosen !== null) setName(chosen);
          }}
        >
          {NAMES.map((theme) => (
            <ToggleButton
              key={theme}
              value={theme}
              sx={{
                textTransform: 'none',
                px: { xs: 1.25, sm: 2 },
                minHeight: 44,
                color: 'text.primary',
                '&.Mui-selected': { bgcolor: 'primary.soft', color: 'primary.tone' },
              }}
            >
              {theme}
            </ToggleButton>
          ))}
        </ToggleButtonGroup>
      </Box>
      <Samples>
        {NAMES.map((theme) => (
          <Box key={theme} data-page-theme={theme}>
            <Sample name={`Page theme ${theme}`} flush>
              <Box sx={{ p: 2, bgcolor: 'background.default', color: 'text.primary' }}>
                <Box sx={{ p: 2, mb: 2, bgcolor: 'background.paper', border: 1, borderColor: 'divider', borderRadius: 1 }}>A card</Box>
                <Button size="small">The main action</Button>
              </Box>
            </Sample>
          </Box>
        ))}
        {ROLES.map((role) => (
          <Sample key={role} name={role}>
            <Box component="dl" sx={{ m: 0, display: 'grid', gridTemplateColumns: 'repeat(4, 1fr)', gap: 1 }}>
              {SHADES.map((shade) => (
                <Box key={shade}>
                  <Box component="dt" sx={{ fontSize: '0.875rem' }}>
                    {shade}
                  </Box>
                  <Box
                    component="dd"
                    sx={{ m: 0, height: 40, borderRadius: 1, border: 1, borderColor: 'divider', bgcolor: `${role}.${shade}` }}
                  />
                </Box>
              ))}
            </Box>
          </Sample>
        ))}
        <Sample name="Work Sans: 32, 24, 20, 16, 14">
          {['2rem', '1.5rem', '1.25rem', '1rem', '0.875rem'].map((size) => (
            <Typography key={size} sx={{ fontSize: size, lineHeight: 1.4 }}>
              £12,340.55
            </Typography>
          ))}
        </Sample>
      </Samples>
    </Section>
  );
}
