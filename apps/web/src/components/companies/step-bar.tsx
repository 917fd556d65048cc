import type { StepStatus } from '@portal/contract/scalars.ts';
import clsx from 'clsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Icon } from '../../ui/icon.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import styles from './step-bar.module.css';

export type BarStep = {
  readonly key: string;
  readonly label: string;
  readonly status: StepStatus;
  /** The path that reopens the step. Undefined if it can't be opened yet. */
  readonly to: string | undefined;
};

/** The steps of a sign-up, showing the current one and those that are done. Done and postponed steps are links. */
export function StepBar({ current, steps }: { current: string; steps: readonly BarStep[] }) {
  const doneCount = steps.filter(({ status }) => status === 'done').length;
  const position = steps.findIndex(({ key }) => key === current);
  return (
    <nav aria-label="Steps" className={styles.steps}>
      <p className={styles.position}>{formatStepPosition(position, doneCount, steps.length)}</p>
      <ol className={styles.bars}>
        {steps.map((step) => (
          <StepItem key={step.key} step={step} current={step.key === current} />
        ))}
      </ol>
    </nav>
  );
}

/** Formats the position, for example "Step 2 of 6, 4 done" or "All 6 steps done". */
export function formatStepPosition(position: number, doneCount: number, total: number): string {
  if (doneCount === total) return `All ${total} steps done`;
  return `Step ${position + 1} of ${total}${doneCount > position ? `, ${doneCount} done` : ''}`;
}

function StepItem({ step, current }: { step: BarStep; current: boolean }) {
  const { status, to } = step;
  const label = (
    <>
      {status === 'done' && <Icon name="check" size={18} />}
      {step.label}
      {status === 'later' && ' (later)'}
      {status === 'done' && <HiddenText>, done</HiddenText>}
    </>
  );
  return (
    <li aria-current={current ? 'step' : undefined} className={styles.step}>
      <div className={clsx(styles.bar, status === 'done' ? styles.done : current && styles.current)} />
      {/* Below 900 px, only the bars are shown; the text above them gives the position. */}
      <div className={styles.name}>
        {to !== undefined && !current && status !== 'todo' ? (
          <TextLink to={to} className={styles.label}>
            {label}
          </TextLink>
        ) : (
          <span className={clsx(styles.label, current ? styles.currentLabel : styles.quietLabel)}>{label}</span>
        )}
      </div>
    </li>
  );
}
