/**
 * The stages of a refund, vertical and dated: done, current, next and later. Used by the dashboard, the advance and the operators' pages.
 */
import './plain-lists.css';
import type { DashboardOutput } from '@portal/contract/dashboard.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { InstantText } from './date-text.tsx';
import { HiddenText } from './hidden-text.tsx';

export type TimelineStage = NonNullable<DashboardOutput['advance']>['timeline'][number];

type StageStatus = 'done' | 'current' | 'trouble' | 'next' | 'later';

/** Only the first upcoming stage is "next"; later ones are "later". */
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

export function RefundTimeline({ stages, label }: { stages: readonly TimelineStage[]; label: string }) {
  return (
    <ol className="p-timeline" aria-label={label}>
      {stages.map((stage, index) => (
        <StageRow key={stage.stage} stage={stage} stageStatus={getStageStatus(stages, index)} last={index === stages.length - 1} />
      ))}
    </ol>
  );
}

function StageRow({ stage, stageStatus, last }: { stage: TimelineStage; stageStatus: StageStatus; last: boolean }) {
  const large = stageStatus === 'current' || stageStatus === 'trouble';
  return (
    <li className={`p-stage is-${stageStatus}${large ? ' is-large' : ''}`} aria-current={large ? 'step' : undefined}>
      <div className="p-stage-rail" aria-hidden>
        <Marker stageStatus={stageStatus} />
        {last ? null : <div className="p-stage-line" />}
      </div>
      <div className="p-stage-words">
        <p className="p-stage-title">
          {stageStatus === 'done' || stageStatus === 'later' ? (
            <HiddenText>{STATUS_LABELS[stageStatus]}: </HiddenText>
          ) : (
            <span>{STATUS_LABELS[stageStatus]}:</span>
          )}
          {stage.title}
        </p>
        <StageDate stage={stage} stageStatus={stageStatus} />
        {stage.detail === '' ? null : <p className="p-stage-detail">{stage.detail}</p>}
      </div>
    </li>
  );
}

function StageDate({ stage, stageStatus }: { stage: TimelineStage; stageStatus: StageStatus }) {
  if (!stage.at && !stage.expected_on) return null;
  return (
    <p className="p-stage-date">
      {stage.at && stageStatus !== 'next' && stageStatus !== 'later' ? (
        <>
          {stageStatus === 'done' ? '' : 'Since '}
          <InstantText at={stage.at} />
        </>
      ) : null}
      {stage.expected_on && stageStatus !== 'done' ? (
        <span>
          {stage.at && (stageStatus === 'current' || stageStatus === 'trouble') ? ' · ' : ''}
          Expected by {formatDate(stage.expected_on)}
        </span>
      ) : null}
    </p>
  );
}

const MARK_PATHS: Record<StageStatus, string> = {
  done: 'M6.5 12.5l3.5 3.5 7.5-8',
  current: 'M12 7v5l3.5 2',
  trouble: 'M12 6.5v7M12 17v.2',
  next: '',
  later: '',
};

function Marker({ stageStatus }: { stageStatus: StageStatus }) {
  const path = MARK_PATHS[stageStatus];
  return (
    <div className="p-mark">
      {path === '' ? null : (
        <svg viewBox="0 0 24 24">
          <path d={path} stroke="currentColor" strokeWidth={2.5} strokeLinecap="round" strokeLinejoin="round" />
        </svg>
      )}
    </div>
  );
}
