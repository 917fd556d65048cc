/** A static preview of the demo dashboard in plain markup, styled like the real one. Hidden from screen readers. */
import { LogoMark } from '../ui/logo-mark.tsx';
import { STILL } from './still-figures.ts';

const LARGEST = Math.max(...STILL.periods.map(({ purchases }) => purchases));
const NOW = STILL.stages.findIndex(({ title }) => title === STILL.now);

export function DashboardStill({ brand, isLoading = false }: { brand: string; isLoading?: boolean }) {
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
        <p className="still-title">{STILL.company}</p>
        <p className="under still-vrn">VAT number {STILL.vatNumber}</p>
        <div className="cards">
          <section className="card half">
            <h2>Next deadline</h2>
            <p className="figure">{STILL.deadline.left}</p>
            <p className="label">{STILL.deadline.what}</p>
            <p className="under">{STILL.deadline.due}</p>
          </section>
          <section className="card half">
            <h2>The open period</h2>
            <p className="figure">{STILL.openPeriod.amount}</p>
            <p className="label">HMRC owes you so far</p>
            <p className="under">{STILL.openPeriod.span}</p>
          </section>
          <section className="card wide">
            <h2>Your refund, early</h2>
            <p className="figure">{STILL.refund.paid}</p>
            <p className="label">paid to you</p>
            <p className="under">{STILL.refund.sum}</p>
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
      {STILL.stages.map(({ title, when }, place) => (
        <li key={title} className={place < NOW ? 'done' : place === NOW ? 'now' : 'next'}>
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
      {STILL.periods.map(({ name, sales, purchases, net }) => (
        <div key={name}>
          <span>{name}</span>
          <Bar kind="sales" amount={sales} words="Sales" />
          <Bar kind="purchases" amount={purchases} words="Purchases" />
          <Bar kind="net" amount={net} words="HMRC owes you" />
        </div>
      ))}
    </div>
  );
}

function Bar({ kind, amount, words }: { kind: string; amount: number; words: string }) {
  return (
    <p>
      <i className={kind} style={{ width: `${Math.round((amount / LARGEST) * 56)}%` }} />
      <span className="bar-words">{words} </span>£{amount.toLocaleString('en-GB')}
    </p>
  );
}
