/** A static preview of the demo dashboard, styled like the real one. Hidden from screen readers. */
import clsx from 'clsx';
import type { CSSProperties } from 'react';
import { Heading } from '../ui/text.tsx';
import { BrandLogo } from '../ui/brand-logo.tsx';
import styles from './dashboard-preview.module.css';
import { PREVIEW_FIGURES } from './preview-figures.ts';

const MAX_AMOUNT = Math.max(...PREVIEW_FIGURES.periods.map(({ purchases }) => purchases));
const CURRENT_STAGE = PREVIEW_FIGURES.stages.findIndex(({ title }) => title === PREVIEW_FIGURES.currentStage);

export function DashboardPreview({ brand, isLoading = false }: { brand: string; isLoading?: boolean }) {
  const { company, vatNumber, deadline, openPeriod, refund } = PREVIEW_FIGURES;
  return (
    <div aria-hidden="true" inert aria-busy={isLoading}>
      <header className={styles.header}>
        <BrandLogo name={brand} />
        <span className={styles.avatar}>AD</span>
      </header>
      <div className={styles.main}>
        <p className={styles.company}>{company}</p>
        <p className={styles.vatNumber}>VAT number {vatNumber}</p>
        <div className={styles.cards}>
          <section className={clsx(styles.card, styles.half)}>
            <Heading level={2}>Next deadline</Heading>
            <Figure figure={deadline.left} label={deadline.what} detail={deadline.due} />
          </section>
          <section className={clsx(styles.card, styles.half)}>
            <Heading level={2}>Open period</Heading>
            <Figure figure={openPeriod.amount} label="HMRC owes you so far" detail={openPeriod.span} />
          </section>
          <section className={clsx(styles.card, styles.wide)}>
            <Heading level={2}>Early refund</Heading>
            <Figure figure={refund.paid} label="paid to you" detail={refund.sum} />
            <Stages />
          </section>
          <section className={clsx(styles.card, styles.narrow)}>
            <Heading level={2}>Your VAT by period</Heading>
            <PreviewBars />
          </section>
        </div>
      </div>
    </div>
  );
}

function Figure({ figure, label, detail }: { figure: string; label: string; detail: string }) {
  return (
    <>
      <p className={styles.figure}>{figure}</p>
      <p className={styles.label}>{label}</p>
      <p className={styles.detail}>{detail}</p>
    </>
  );
}

function Stages() {
  return (
    <ol className={styles.stages}>
      {PREVIEW_FIGURES.stages.map(({ title, when }, index) => (
        <li key={title} className={clsx(index < CURRENT_STAGE && styles.done, index === CURRENT_STAGE && styles.current)}>
          <strong>{title}</strong>
          <span className={styles.detail}>{when}</span>
        </li>
      ))}
    </ol>
  );
}

/** Horizontal bars with labels at the ends, like those on the dashboard (features/dashboard/money-chart.tsx). */
function PreviewBars() {
  return (
    <div className={styles.bars}>
      {PREVIEW_FIGURES.periods.map(({ name, sales, purchases, net }) => (
        <div key={name} className={styles.period}>
          <span className={styles.periodName}>{name}</span>
          <Bar className={styles.sales} amount={sales} label="VAT on sales" />
          <Bar className={styles.purchases} amount={purchases} label="VAT on purchases" />
          <Bar className={styles.net} amount={net} label="HMRC owes you" />
        </div>
      ))}
    </div>
  );
}

function Bar({ className, amount, label }: { className: string | undefined; amount: number; label: string }) {
  return (
    <p>
      <span className={clsx(styles.bar, className)} style={{ '--share': (amount / MAX_AMOUNT).toFixed(3) } as CSSProperties} />
      <span className={styles.barLabel}>{label} </span>£{amount.toLocaleString('en-GB')}
    </p>
  );
}
