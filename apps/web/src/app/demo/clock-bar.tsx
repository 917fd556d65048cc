/**
 * The demo's clock: the current date in the story and buttons to move it. Fixed at the bottom of the window, so that visitors see the
 * screen change.
 */
import { useSyncExternalStore, type ChangeEvent } from 'react';
import { STORIES } from '../../features/demo/list-stories.ts';
import type { Story } from '../../features/demo/stories/story.ts';
import type { StoryClock } from '../../features/demo/story-clock.ts';
import { Button } from '../../ui/button.tsx';
import { InstantText } from '../../components/formats/date-text.tsx';
import styles from './clock-bar.module.css';

type ClockBarProps = { clock: StoryClock; story: Story; choose: (key: string) => void };

export function ClockBar({ clock, story, choose }: ClockBarProps) {
  const now = useSyncExternalStore(clock.subscribe, clock.now);
  const next = clock.findNextMoment();
  return (
    <section aria-label="The demo’s clock" className={styles.bar}>
      <p role="status" className={styles.now}>
        It’s <InstantText at={now} /> in the demo: {clock.getLastMoment().title}
      </p>
      <div className={styles.controls}>
        <ChooseStory story={story} choose={choose} />
        <Button variant="outlined" size="small" className={styles.button} onClick={clock.restart}>
          Restart
        </Button>
        <Button variant="outlined" size="small" className={styles.button} onClick={clock.moveForwardOneDay}>
          Next day
        </Button>
        {next ? (
          <Button variant="outlined" size="small" className={styles.button} onClick={() => clock.moveTo(next.at)}>
            <span className={styles.short}>Next stage</span>
            <span className={styles.long}>Next: {next.title}</span>
          </Button>
        ) : null}
      </div>
    </section>
  );
}

function ChooseStory({ story, choose }: Omit<ClockBarProps, 'clock'>) {
  return (
    <select
      aria-label="Demo story"
      value={story.key}
      onChange={(event: ChangeEvent<HTMLSelectElement>) => choose(event.target.value)}
      className={styles.story}
    >
      {STORIES.map(({ key, title }) => (
        <option key={key} value={key}>
          {title}
        </option>
      ))}
    </select>
  );
}
