/**
 * The demo's clock: the current date of the story and the buttons that move it. Fixed at the bottom of the window, so that people see the
 * screen change.
 */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import GlobalStyles from '@mui/material/GlobalStyles';
import Typography from '@mui/material/Typography';
import { useSyncExternalStore, type ChangeEvent } from 'react';
import { STORIES } from '../../features/demo/list-stories.ts';
import type { Story } from '../../features/demo/stories/story.ts';
import type { StoryClock } from '../../features/demo/story-clock.ts';
import { InstantText } from '../../ui/date-text.tsx';

type ClockBarProps = { clock: StoryClock; story: Story; choose: (key: string) => void };

export function ClockBar({ clock, story, choose }: ClockBarProps) {
  const now = useSyncExternalStore(clock.subscribe, clock.now);
  const next = clock.nextMoment();
  return (
    <Box
      component="section"
      aria-label="The demo’s clock"
      sx={{
        position: 'sticky',
        // Place the bar above the cookie banner while the banner is open.
        bottom: 'var(--consent-room, 0px)',
        zIndex: 'appBar',
        bgcolor: 'secondary.fill',
        color: 'secondary.onFill',
        px: { xs: 2, sm: 3 },
        py: 1.25,
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        justifyContent: 'space-between',
        columnGap: 3,
        rowGap: 1,
      }}
    >
      {/* Prevent the bar from covering the focused element (WCAG 2.4.11). */}
      <GlobalStyles styles={{ html: { scrollPaddingBottom: 176 } }} />
      <Typography role="status" sx={{ fontSize: { xs: '0.875rem', sm: '1rem' }, fontWeight: 500 }}>
        In the demo it is <InstantText at={now} />: {clock.lastMoment().title}
      </Typography>
      <Box
        sx={{
          display: 'flex',
          flexWrap: 'wrap',
          gap: 1,
          '& .MuiButton-root': { color: 'inherit', borderColor: 'currentColor' },
          '& .MuiButton-root:hover': { bgcolor: 'rgb(255 255 255 / 0.12)' },
        }}
      >
        <ChooseStory story={story} choose={choose} />
        <Button variant="outlined" size="small" onClick={clock.restart}>
          Start again
        </Button>
        <Button variant="outlined" size="small" onClick={clock.moveOneDay}>
          Next day
        </Button>
        {next ? (
          <Button variant="outlined" size="small" onClick={() => clock.moveTo(next.at)}>
            <Box component="span" sx={{ display: { sm: 'none' } }}>
              Next stage
            </Box>
            <Box component="span" sx={{ display: { xs: 'none', sm: 'inline' } }}>
              Next: {next.title}
            </Box>
          </Button>
        ) : null}
      </Box>
    </Box>
  );
}

function ChooseStory({ story, choose }: Omit<ClockBarProps, 'clock'>) {
  return (
    <Box
      component="select"
      aria-label="What happens in the demo"
      value={story.key}
      onChange={(event: ChangeEvent<HTMLSelectElement>) => choose(event.target.value)}
      sx={{
        height: 36,
        maxWidth: '100%',
        px: 1,
        border: 1,
        borderColor: 'currentColor',
        borderRadius: 1,
        bgcolor: 'transparent',
        color: 'inherit',
        font: 'inherit',
        fontSize: '0.875rem',
        fontWeight: 500,
        '& option': { bgcolor: 'background.paper', color: 'text.primary' },
      }}
    >
      {STORIES.map(({ key, title }) => (
        <option key={key} value={key}>
          {title}
        </option>
      ))}
    </Box>
  );
}
