/**
 * A refund's stages with their dates: done, current, next and later. Used by the dashboard, the advance and the operator pages. A compact
 * timeline starts as a line of steps with the current stage in words, and expands to show all stages.
 */
import clsx from 'clsx';
import type { DashboardOutput } from '@portal/contract/dashboard.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { useId, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { InstantText } from '../formats/date-text.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Stack } from '../../ui/layout.tsx';
import styles from './refund-timeline.module.css';
import { Text } from '../../ui/text.tsx';

export type TimelineStage = NonNullable<DashboardOutput['advance']>['timeline'][number];

type StageStatus = 'done' | 'current' | 'trouble' | 'next' | 'later';

/** Only the first upcoming stage is "next"; those after it are "later". */
function getStageStatus(stages: readonly TimelineStage[], index: number): StageStatus {
  const status = stages[index]?.status ?? 'next';
  if (status !== 'next') return status;
  return stages.findIndex((stage) => stage.status === 'next') === index ? 'next' : 'later';
}

const STATUS_LABELS: Record<StageStatus, string> = {
  done: 'Done',
  current: 'Now',
  trouble: 'Needs attention',
  next: 'Next',
  later: 'Later',
};

type RefundTimelineProps = {
  stages: readonly TimelineStage[];
  label: string;
  /** Whether the timeline starts as a stepper. */
  compact?: boolean;
};

export function RefundTimeline({ stages, label, compact = false }: RefundTimelineProps) {
  const [isOpened, setOpened] = useState(false);
  const id = useId();
  if (!compact) return <Stages stages={stages} label={label} />;
  return (
    <div>
      {!isOpened && <Stepper stages={stages} />}
      <div id={id} className={clsx(isOpened && styles.opened)}>
        {isOpened && <Stages stages={stages} label={label} />}
      </div>
      <Button
        variant="text"
        size="small"
        fit="flush"
        aria-expanded={isOpened}
        aria-controls={id}
        className={styles.toggle}
        onClick={() => setOpened(!isOpened)}
      >
        {isOpened ? 'Show less' : `Show all ${stages.length} steps`}
      </Button>
    </div>
  );
}

/** Shows the position in one line, with the most relevant stage: the one in progress, or else the last one done. */
function Stepper({ stages }: { stages: readonly TimelineStage[] }) {
  const activeIndex = stages.findIndex(({ status }) => status === 'current' || status === 'trouble');
  const place = activeIndex === -1 ? stages.length - 1 : activeIndex;
  const stage = stages[place];
  const next = stages.find(({ status }) => status === 'next');
  return (
    <>
      <div className={styles.steps} aria-hidden>
        {stages.map(({ stage: name }, index) => {
          const status = getStageStatus(stages, index);
          return (
            <div key={name} className={clsx(styles.step, status === 'done' && styles.doneStep)}>
              <Marker stageStatus={status} />
            </div>
          );
        })}
      </div>
      {stage && (
        <div>
          <Text weight="bold">
            <HiddenText>
              Step {place + 1} of {stages.length}:{' '}
            </HiddenText>
            {stage.title}
          </Text>
          <StageDate stage={stage} stageStatus={getStageStatus(stages, place)} />
          {stage.detail !== '' && (
            <Text size="small" tone="quiet" className={styles.detail}>
              {stage.detail}
            </Text>
          )}
          {next && (
            <Text size="small" tone="quiet">
              Next: {next.title}
              {next.expected_on && ` by ${formatDate(next.expected_on)}`}
            </Text>
          )}
        </div>
      )}
    </>
  );
}

function Stages({ stages, label }: { stages: readonly TimelineStage[]; label: string }) {
  return (
    <Stack as="ol" gap={0} aria-label={label}>
      {stages.map((stage, index) => (
        <StageRow key={stage.stage} stage={stage} stageStatus={getStageStatus(stages, index)} last={index === stages.length - 1} />
      ))}
    </Stack>
  );
}

function StageRow({ stage, stageStatus, last }: { stage: TimelineStage; stageStatus: StageStatus; last: boolean }) {
  const isLarge = stageStatus === 'current' || stageStatus === 'trouble';
  return (
    <li className={clsx(styles.stage, styles[stageStatus], isLarge && styles.large)} aria-current={isLarge ? 'step' : undefined}>
      <div className={styles.rail} aria-hidden>
        <Marker stageStatus={stageStatus} />
        {!last && <div className={styles.line} />}
      </div>
      <div className={styles.content}>
        <p className={styles.title}>
          {stageStatus === 'done' || stageStatus === 'later' ? (
            <HiddenText>{STATUS_LABELS[stageStatus]}: </HiddenText>
          ) : (
            <span className={styles.status}>{STATUS_LABELS[stageStatus]}:</span>
          )}
          {stage.title}
        </p>
        <StageDate stage={stage} stageStatus={stageStatus} />
        {stage.detail !== '' && (
          <Text size={isLarge ? 'body' : 'small'} tone={isLarge ? undefined : 'quiet'} className={styles.detail}>
            {stage.detail}
          </Text>
        )}
      </div>
    </li>
  );
}

function StageDate({ stage, stageStatus }: { stage: TimelineStage; stageStatus: StageStatus }) {
  if (!stage.at && !stage.expected_on) return null;
  const isUpcoming = stageStatus === 'next' || stageStatus === 'later';
  return (
    <Text size="small" tone="quiet">
      {stage.at && !isUpcoming && (
        <>
          {stageStatus === 'done' ? '' : 'Since '}
          <InstantText at={stage.at} />
        </>
      )}
      {stage.expected_on && stageStatus !== 'done' && (
        <span>
          {stage.at && !isUpcoming ? ' · ' : ''}
          Expected by {formatDate(stage.expected_on)}
        </span>
      )}
    </Text>
  );
}

const MARK_PATHS: Record<StageStatus, string> = {
  done: 'M6.5 12.5l3.5 3.5 7.5-8',
  current: 'M12 7v5l3.5 2',
  trouble: 'M12 6.5v7M12 17v.2',
  next: '',
  later: '',
};

const MARKER_CLASSES: Record<StageStatus, string | undefined> = {
  done: styles.doneMarker,
  current: styles.currentMarker,
  trouble: styles.troubleMarker,
  next: undefined,
  later: styles.laterMarker,
};

function Marker({ stageStatus }: { stageStatus: StageStatus }) {
  const path = MARK_PATHS[stageStatus];
  return (
    <div className={clsx(styles.marker, MARKER_CLASSES[stageStatus])}>
      {path !== '' && (
        <svg viewBox="0 0 24 24">
          <path d={path} stroke="currentColor" strokeWidth={2.5} strokeLinecap="round" strokeLinejoin="round" />
        </svg>
      )}
    </div>
  );
}
