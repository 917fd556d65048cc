/** A static preview of the demo dashboard in plain markup, styled like the real one. Hidden from screen readers. */
import { LogoMark } from '../ui/logo-mark.tsx';
import { PREVIEW_FIGURES } from './preview-figures.ts';

const MAX_AMOUNT = Math.max(...PREVIEW_FIGURES.periods.map(({ purchases }) => purchases));
const CURRENT_STAGE = PREVIEW_FIGURES.stages.findIndex(({ title }) => title === PREVIEW_FIGURES.currentStage);

export function DashboardPreview({ brand, isLoading = false }: { brand: string; isLoading?: boolean }) {
  return (
    <div className="still" aria-hidden="true" inert aria-busy={isLoading}>
      <header>
        <span className="logo">
          <LogoMark />
          {brand}
        </span>
        <span className="avatar">AD</span>
      </header>
      <div className="still-main">
        <p className="still-title">{PREVIEW_FIGURES.company}</p>
        <p className="under still-vrn">VAT number {PREVIEW_FIGURES.vatNumber}</p>
        <div className="cards">
          <section className="card half">
            <h2>Next deadline</h2>
            <p className="figure">{PREVIEW_FIGURES.deadline.left}</p>
            <p className="label">{PREVIEW_FIGURES.deadline.what}</p>
            <p className="under">{PREVIEW_FIGURES.deadline.due}</p>
          </section>
          <section className="card half">
            <h2>The open period</h2>
            <p className="figure">{PREVIEW_FIGURES.openPeriod.amount}</p>
            <p className="label">HMRC owes you so far</p>
            <p className="under">{PREVIEW_FIGURES.openPeriod.span}</p>
          </section>
          <section className="card wide">
            <h2>Your refund, early</h2>
            <p className="figure">{PREVIEW_FIGURES.refund.paid}</p>
            <p className="label">paid to you</p>
            <p className="under">{PREVIEW_FIGURES.refund.sum}</p>
            <Stages />
          </section>
          <section className="card narrow">
            <h2>Your VAT by period</h2>
            <Bars />
          </section>
        </div>
      </div>
    </div>
  );
}

function Stages() {
  return (
    <ol className="stages">
      {PREVIEW_FIGURES.stages.map(({ title, when }, index) => (
        <li key={title} className={index < CURRENT_STAGE ? 'done' : index === CURRENT_STAGE ? 'now' : 'next'}>
          <strong>{title}</strong>
          <span>{when}</span>
        </li>
      ))}
    </ol>
  );
}

/** Horizontal bars with labels at their ends, like those of the dashboard (features/dashboard/money-chart.tsx). */
function Bars() {
  return (
    <div className="bars">
      {PREVIEW_FIGURES.periods.map(({ name, sales, purchases, net }) => (
        <div key={name}>
          <span>{name}</span>
          <Bar kind="sales" amount={sales} label="Sales" />
          <Bar kind="purchases" amount={purchases} label="Purchases" />
          <Bar kind="net" amount={net} label="HMRC owes you" />
        </div>
      ))}
    </div>
  );
}

function Bar({ kind, amount, label }: { kind: string; amount: number; label: string }) {
  return (
    <p>
      <i className={kind} style={{ width: `${Math.round((amount / MAX_AMOUNT) * 56)}%` }} />
      <span className="bar-words">{label} </span>£{amount.toLocaleString('en-GB')}
    </p>
  );
}
